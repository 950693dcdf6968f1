// Helpers shared by all tests.
