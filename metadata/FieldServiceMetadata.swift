/// The CSDL documents of the sample service, as they stand beside this file.
public enum FieldServiceMetadata {
    /// The first version of the model.
    public static var v1: [UInt8] { PackageResources.v1_xml }
}
