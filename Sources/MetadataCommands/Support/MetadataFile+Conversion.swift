import CommandSupport
import ODataModel
import ODataProtocol

extension MetadataFile {
    /// Writes the document in another form into a file; `-` is standard output.
    ///
    /// - Parameter terminal: Where the file and its size are said as JSON; nil where they are not.
    /// - Throws: `CommandFailure` (invalid) with the file, the place and the reason.
    func convert(
        to output: String,
        reportingOn terminal: Terminal?,
        _ convert: ([UInt8]) throws(CSDLError) -> [UInt8]
    ) throws {
        let bytes = try read().bytes
        let converted: [UInt8]
        do {
            converted = try convert(bytes)
        } catch {
            throw CommandFailure(.invalid, "\(path): \(error)")
        }
        try FileBytes.write(converted, to: output)
        guard output != "-", let terminal else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("file", value: output)
        writer.member("bytes", value: converted.count)
        writer.endObject()
        try terminal.answer(writer.bytes + [0x0A])
    }
}
