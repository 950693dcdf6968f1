/// A term of `$search`: one word or several, one after the other (OData 4.01 Part 2 § 5.1.8).
final class SearchPhrase {
    private let tokenizer: SearchTokenizer
    private let words: [[UInt8]]

    /// Cuts a term into words; nil where the connection's SQLite has no FTS5.
    @unsafe init?(_ text: UnsafeRawBufferPointer, database: OpaquePointer?) {
        guard let tokenizer = unsafe SearchTokenizer(of: database) else { return nil }
        var words: [[UInt8]] = []
        unsafe tokenizer.forEachWord(of: text) { word in
            words.append(unsafe Array(word))
            return true
        }
        self.tokenizer = tokenizer
        self.words = words
    }

    /// Whether the words stand in a text one after the other; a term without words stands in none.
    @unsafe func occurs(in text: UnsafeRawBufferPointer) -> Bool {
        guard !words.isEmpty else { return false }
        // How many words were met of each occurrence that has begun, the longest first.
        var begun: [Int] = []
        unsafe tokenizer.forEachWord(of: text) { word in
            for index in begun.indices.reversed() {
                if unsafe word.equals(words[begun[index]]) {
                    begun[index] += 1
                } else {
                    begun.remove(at: index)
                }
            }
            if unsafe word.equals(words[0]) { begun.append(1) }
            return begun.first != words.count
        }
        return begun.first == words.count
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ bytes: [UInt8]) -> Bool {
        unsafe count == bytes.count && elementsEqual(bytes)
    }
}
