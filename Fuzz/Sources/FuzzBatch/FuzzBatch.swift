import FuzzSupport
import ODataModel
import ODataProtocol

/// Batch bodies of any bytes, both formats, both ways.
@main
struct FuzzBatch {
    static func main() {
        unsafe FuzzDriver.run { start, count in
            let bytes = unsafe FuzzInput.bytes(start, count)
            for contentType in ["multipart/mixed; boundary=b", "application/json"] {
                if let request = try? BatchRequest(reading: bytes, contentType: contentType) {
                    _ = try? request.encoded(as: .multipart)
                    _ = try? request.encoded(as: .json)
                }
                _ = try? BatchResponse(reading: bytes, contentType: contentType)
            }
            return 0
        }
    }
}
