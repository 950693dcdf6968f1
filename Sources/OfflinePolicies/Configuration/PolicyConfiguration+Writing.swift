extension PolicyConfiguration {
    /// Returns the configuration as a file of a format; it holds the synchronization settings only.
    public func written(as format: ConfigurationFormat) -> [UInt8] {
        switch format {
        case .json: JSONConfiguration.text(of: self)
        case .xml: XMLConfiguration.text(of: self)
        case .propertyList: PropertyListConfiguration.text(of: self)
        }
    }
}

extension PolicyConfiguration {
    /// The service of a file that names none.
    var unnamed: BackendConfiguration? {
        backends.count == 1 && backends[0].name.isEmpty ? backends[0] : nil
    }
}
