"""What people read: for each job a module, in it for each action a function from result to lines.

Everything that agents wrote passes `base.text.inert` here.
"""
