import Foundation

extension SharedFolder {
    /// Returns the names of the files and folders in a folder, sorted.
    public static func names(in folder: String) -> [String] {
        let path = root.appending(path: folder).path()
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
