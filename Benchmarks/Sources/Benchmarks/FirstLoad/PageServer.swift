internal import CYardsticks

/// The static server of the benchmark: a process that answers with files made beforehand.
struct PageServer: ~Copyable {
    /// Address of the service, with a slash at its end.
    let serviceRoot: String
    private var process: ChildProcess

    /// What the server did in its life.
    struct Totals {
        let requests: Int
        let bytes: Int
        let cpuSeconds: Double
    }

    /// Starts a server for the files of a directory.
    init(directory: String) throws {
        var server = try ChildProcess(["serve-pages", "--directory", directory])
        let port = try Measurements(server.readLine()).number("port")
        serviceRoot = "http://127.0.0.1:\(Int(port))/"
        process = server
    }

    /// Ends the server.
    consuming func stop() throws -> Totals {
        process.closeInput()
        let totals = try Measurements(process.readLine())
        try process.wait()
        return try Totals(
            requests: Int(totals.number("requests")),
            bytes: Int(totals.number("bytes")),
            cpuSeconds: totals.number("cpu")
        )
    }

    /// Is the server, in the child process.
    static func serve(_ options: Options) throws {
        let status = unsafe static_pages_serve(try options.text("directory"))
        if status != 0 { throw BenchmarkError("the page server could not start") }
    }
}
