"""What stands above a screen and is answered or closed: questions, forms, pickers, pages."""
