import OfflineOData

/// What came of an upload, in words and as an exit status.
struct UploadReport {
    let result: OfflineODataUploadResult
    let store: String

    var sentence: String {
        guard result.succeededCount + result.failedCount + result.unknownCount > 0 else {
            return "uploaded: nothing was waiting"
        }
        var parts = ["\(Words.number(result.succeededCount)) carried out"]
        if result.failedCount > 0 { parts.append("\(Words.number(result.failedCount)) refused") }
        if result.unknownCount > 0 {
            parts.append("\(Words.number(result.unknownCount)) with unknown outcome")
        }
        return "uploaded: " + parts.joined(separator: ", ")
    }

    var status: ExitStatus {
        if result.failedCount > 0 { return .requestsRefused }
        return result.unknownCount > 0 ? .failed : .done
    }

    func advise(_ terminal: Terminal) {
        if result.failedCount > 0 {
            terminal.remark("`offline-odata errors \(store)` tells why they were refused.")
        }
        if result.unknownCount > 0 {
            terminal.remark(
                "`offline-odata queue \(store)` lists the requests that somebody must decide on."
            )
        }
    }
}
