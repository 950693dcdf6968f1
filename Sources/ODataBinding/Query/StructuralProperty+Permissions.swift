package import ODataModel

extension StructuralProperty {
    /// Whether `Core.Permissions` allows no reading: `Write` or `None`, in CSDL JSON also the numbers 2 and 0.
    package var isUnreadable: Bool {
        guard let text = annotations.value(of: "Org.OData.Core.V1.Permissions")?.text else {
            return false
        }
        let names = text.split { $0 == " " || $0 == "," }
            .map { $0.split(separator: "/").last ?? $0 }
        return !names.isEmpty && names.allSatisfy { ["Write", "None", "2", "0"].contains($0) }
    }
}
