// silx includes a file of this name for the sake of an editor and does not install it.
