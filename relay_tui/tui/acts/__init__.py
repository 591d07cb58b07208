"""What keys and typed lines do: composed into calls, weighed, asked about, written."""
