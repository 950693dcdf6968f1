import CommandSupport
import ODataModel

extension MetadataFile {
    /// Writes the document in another form into a file; `-` is standard output.
    ///
    /// - Throws: `CommandFailure` (invalid) with the file, the place and the reason.
    func convert(
        to output: String,
        _ convert: ([UInt8]) throws(CSDLError) -> [UInt8]
    ) throws(CommandFailure) {
        let bytes = try read().bytes
        let converted: [UInt8]
        do {
            converted = try convert(bytes)
        } catch {
            throw CommandFailure(.invalid, "\(path): \(error)")
        }
        try FileBytes.write(converted, to: output)
    }
}
