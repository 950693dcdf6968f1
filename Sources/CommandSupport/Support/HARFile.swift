public import ODataProtocol
import OfflineOData
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file of a recording: whole after every entry, also where the process is killed.
public final class HARFile: Sendable {
    /// The option that names the file.
    public static let syntax = OptionSyntax.value(
        "har",
        placeholder: "FILE",
        help:
            "record the exchange as HAR 1.2, without credentials and cookies; the file is replaced"
    )

    private let descriptor: Int32
    private let path: String
    /// Where the next entry goes; nil before the first.
    private let end = Mutex<(offset: Int, isFirst: Bool)>((0, true))

    /// Makes the file, empty but for the frame.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be written.
    public init(_ path: String) throws(CommandFailure) {
        self.path = path
        descriptor = try FileBytes.descriptor(writing: path)
        let frame = OfflineODataRecorder.frame
        try FileBytes.write(frame.start + frame.end, to: descriptor, named: path)
        end.guarded { $0.offset = frame.start.count }
    }

    deinit { FileBytes.close(descriptor) }

    /// Returns a transport that does what another does, and records it.
    public func recording(_ transport: any HTTPTransport) -> any HTTPTransport {
        OfflineODataRecorder(transport) { self.add($0) }
    }

    /// Appends an entry; what cannot be written is left out, since the work matters more.
    func add(_ entry: [UInt8]) {
        end.guarded { end in
            let separator: [UInt8] = Array((end.isFirst ? "\n" : ",\n").utf8)
            let bytes = separator + entry
            guard lseek(descriptor, off_t(end.offset), SEEK_SET) >= 0,
                (try? FileBytes.write(
                    bytes + OfflineODataRecorder.frame.end,
                    to: descriptor,
                    named: path
                )) != nil
            else { return }
            end = (end.offset + bytes.count, false)
        }
    }
}
