#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Files that stand beside a store and are named after it.
package enum BesideFiles {
    /// Paths of those whose names go on with one of some marks.
    package static func all(of store: String, marks: [String]) -> [String] {
        let slash = store.lastIndex(of: "/")
        let folder = slash.map { String(store[...$0]) } ?? ""
        let name = slash.map { String(store[store.index(after: $0)...]) } ?? store
        return names(in: folder.isEmpty ? "." : folder)
            .filter { file in marks.contains { file.hasPrefix(name + $0) } }
            .map { folder + $0 }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
                unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            names.append(name)
        }
        return names
    }
}
