import FuzzSupport
import ODataModel
import ODataModelComparison

/// A document of any bytes gives a model or an error; a model compares with itself as identical.
@main
struct FuzzMetadata {
    static func main() {
        unsafe FuzzDriver.run { start, count in
            guard let document = try? CSDLDocument(reading: unsafe FuzzInput.bytes(start, count))
            else {
                return 0
            }
            precondition(MetadataSummary(document).json().utf8.first == UInt8(ascii: "{"))
            let comparison = ModelComparison(from: document.model, to: document.model)
            precondition(comparison.verdict == .identical, "a model differs from itself")
            return 0
        }
    }
}
