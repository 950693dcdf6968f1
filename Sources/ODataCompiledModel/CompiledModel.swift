public import ODataModel

/// A model as bytes that are read in a fraction of the time that its document takes.
///
/// The form is ours alone, for files of our own: every string stands once, everything else is a number. Documents are
/// megabytes of XML of which a process that asks for one entity would have to read every word.
public enum CompiledModel {
    /// The first bytes: a mark, and the number of the form.
    ///
    /// A change of the form takes a new number, and a step of the migration of files.
    static let mark = Array("EDM2".utf8)

    /// Returns the bytes of a model; equal models have equal bytes.
    public static func bytes(of model: EdmModel) -> [UInt8] {
        var writer = ModelWriter()
        model.write(to: &writer)
        let content = writer.finished()
        return mark + checksum(content[...]) + content
    }

    /// Reads a model, with its checksum and all its numbers checked; the members of its types are read on first use.
    ///
    /// - Throws: ``DamagedModel`` where the bytes are no model of this form.
    public static func model(_ bytes: [UInt8]) throws(DamagedModel) -> EdmModel {
        let start = mark.count + 8
        guard bytes.count > start, bytes.starts(with: mark),
            bytes[mark.count..<start].elementsEqual(checksum(bytes[start...]))
        else { throw DamagedModel(offset: 0) }
        var reader = try ModelReader(bytes, from: start)
        let model = try EdmModel(from: &reader)
        try reader.finish()
        return model
    }

    /// Fletcher's checksum of 64 bits, its sums put together: SQLite does not notice a byte that a disk changed.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (sum, weighted) = (0 as UInt64, 0 as UInt64)
        var rest = bytes.span
        while rest.count >= 8 {
            // Eight at a time, whose own sums do not wait for those before them.
            let (part, partWeighted) = sums(rest.extracting(first: 8))
            weighted &+= 8 &* sum &+ partWeighted
            sum &+= part
            rest = rest.extracting(droppingFirst: 8)
        }
        let (part, partWeighted) = sums(rest)
        weighted &+= UInt64(rest.count) &* sum &+ partWeighted
        sum &+= part
        let both = weighted << 32 ^ sum
        return (0..<8).map { UInt8(truncatingIfNeeded: both >> (8 * $0)) }
    }

    private static func sums(_ bytes: Span<UInt8>) -> (UInt64, UInt64) {
        var (sum, weighted) = (0 as UInt64, 0 as UInt64)
        for place in bytes.indices {
            sum &+= UInt64(bytes[place])
            weighted &+= sum
        }
        return (sum, weighted)
    }
}
