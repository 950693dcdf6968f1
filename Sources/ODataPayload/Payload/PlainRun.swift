/// How far a run of plain entities has been read, in words and in bytes of their texts.
package struct PlainRun {
    /// The word that the next entity begins with.
    package private(set) var word = 0
    /// The first byte of its texts.
    package private(set) var byte = 0

    package init(word: Int = 0, byte: Int = 0) {
        self.word = word
        self.byte = byte
    }

    /// Returns where the values of the next entity are, without its beginning and end, and goes on behind it.
    package mutating func next(_ words: Span<UInt64>) -> Entity {
        let start = word + 1
        let end = word + RecordedCall(words[word]).length
        let last = RecordedCall(words[end])
        defer {
            word = end + 1
            byte += last.length
        }
        return Entity(
            words: start..<end,
            bytes: byte..<(byte + last.length),
            hasExactTexts: last.number > 0
        )
    }

    /// One entity of the run.
    package struct Entity {
        /// Its calls, without its beginning and end.
        package let words: Range<Int>
        /// Its texts and blobs.
        package let bytes: Range<Int>
        /// Whether values have an exact text beside them.
        package let hasExactTexts: Bool
    }
}
