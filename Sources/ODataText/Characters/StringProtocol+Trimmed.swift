extension StringProtocol where UTF8View: BidirectionalCollection {
    /// Returns the text without white space of XML and JSON at both ends.
    package func trimmed() -> SubSequence {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard let first = utf8.firstIndex(where: { !isSpace($0) }),
            let last = utf8.lastIndex(where: { !isSpace($0) })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
