// The sample's first file.
