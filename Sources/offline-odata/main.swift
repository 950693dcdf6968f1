import FieldServiceDemo
import FoundationEssentials
import OfflineOData

final class Quiet: OfflineODataDelegate {}
let directory = FileManager.default.temporaryDirectory.appending(path: "demo-" + UUID().uuidString).path
try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
do { try await FieldServiceDemo(directory: directory, delegate: Quiet()) { print($0) }.run() } catch { print("FAILED", error) }
