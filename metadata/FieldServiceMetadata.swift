/// The CSDL documents of the sample service, as they stand beside this file.
///
/// Each is a whole document of its own, so that a service can move from one to the next and a store can be asked to follow.
public enum FieldServiceMetadata {
    /// The first version of the model.
    public static var v1: [UInt8] { PackageResources.v1_xml }

    /// The second version, which adds to the first.
    public static var v2: [UInt8] { PackageResources.v2_xml }

    /// The third version, which adds to the second.
    public static var v3: [UInt8] { PackageResources.v3_xml }

    /// A fourth version that a store of any earlier one must refuse.
    public static var v4Incompatible: [UInt8] { PackageResources.v4_incompatible_xml }
}
