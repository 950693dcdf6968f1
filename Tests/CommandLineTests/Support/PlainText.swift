import Foundation

/// Looks for a text in the files that belong to a store.
enum PlainText {
    /// Names of the store's files that hold the text.
    static func files(of scratch: Scratch, holding text: String) throws -> [String] {
        try scratch.names().filter { name in
            name.contains(".store")
                && (try? Data(contentsOf: scratch.url(name)))?.firstRange(of: Data(text.utf8))
                    != nil
        }.sorted()
    }
}
