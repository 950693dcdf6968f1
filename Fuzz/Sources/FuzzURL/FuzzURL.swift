import FuzzSupport
import ODataGrammar
import ODataModel
import ODataProtocol

/// A URL of any bytes is read and bound, or refused at a place inside of it; the grammar ends, whatever the text.
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
            do throws(ODataURLError) {
                try URLSyntax.check(String(decoding: bytes.prefix(2_000), as: UTF8.self))
            } catch {
                precondition(error.offset >= 0, "the place is outside")
            }
            return 0
        }
    }
}
