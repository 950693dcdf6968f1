import FuzzSupport
import ODataModel
import ODataProtocol

/// A URL of any bytes is read and bound, or refused at a place inside of it.
@main
struct FuzzURL {
    static func main() {
        unsafe FuzzDriver.run { start, count in
            let bytes = unsafe FuzzInput.bytes(start, count)
            for model in FuzzModel.models {
                do throws(ODataURLError) {
                    let version: ODataVersion = model.version.isV4 ? .v401 : .v2
                    let written = try WrittenRequest(bytes: bytes, version: version)
                    _ = try BoundRequest(written, in: model)
                } catch {
                    precondition(error.offset >= 0 && error.offset <= count, "the place is outside")
                }
            }
            return 0
        }
    }
}
