/// Diagnostics up to a limit.
struct DiagnosticList {
    private(set) var all: [CSDLDiagnostic] = []
    private let limit: Int
    private var omitted = 0

    init(limit: Int) { self.limit = limit }

    /// Adds a diagnostic, or counts it where there are too many.
    mutating func add(
        _ severity: CSDLDiagnostic.Severity,
        path: String,
        line: Int,
        message: String
    ) {
        guard all.count < limit else {
            omitted += 1
            return
        }
        all.append(CSDLDiagnostic(severity, path: path, line: line, message: message))
    }

    /// Returns all diagnostics by line, with a last one that counts those left out.
    func finished() -> [CSDLDiagnostic] {
        var sorted = all.enumerated().sorted {
            ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
        }
        .map(\.element)
        if omitted > 0 {
            let message = "\(omitted) more diagnostics are left out."
            sorted.append(CSDLDiagnostic(.warning, path: "", line: 0, message: message))
        }
        return sorted
    }
}
