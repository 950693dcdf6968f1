// Empty: the target is there for the place of the headers, which pkg-config knows.
