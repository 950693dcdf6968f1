/// JSON with a line for each member and item, as people read it on a terminal.
public enum IndentedJSON {
    /// Returns a document with line breaks and two spaces for each level; every value is written as it stands.
    ///
    /// - Parameter json: A valid document in UTF-8.
    public static func text(of json: [UInt8]) -> [UInt8] {
        var writing = Writing()
        var index = 0
        while index < json.count {
            let byte = json[index]
            let end = byte == UInt8(ascii: "\"") ? endOfString(json, from: index) : index + 1
            writing.add(json[index..<end])
            index = end
        }
        return writing.output
    }

    private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.count)
    }

    private struct Writing {
        var output: [UInt8] = []
        private var depth = 0
        /// Whether nothing has come since the last opening bracket.
        private var isEmpty = false

        mutating func add(_ token: ArraySlice<UInt8>) {
            switch token[token.startIndex] {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                breakAfterOpening()
                output += token
                (depth, isEmpty) = (depth + 1, true)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !isEmpty { breakLine() }
                output += token
                isEmpty = false
            case UInt8(ascii: ","):
                output += token
                breakLine()
            case UInt8(ascii: ":"): output += [UInt8(ascii: ":"), UInt8(ascii: " ")]
            default:
                breakAfterOpening()
                output += token
            }
        }

        private mutating func breakAfterOpening() {
            if isEmpty { breakLine() }
            isEmpty = false
        }

        private mutating func breakLine() {
            output.append(UInt8(ascii: "\n"))
            output += repeatElement(UInt8(ascii: " "), count: 2 * max(0, depth))
        }
    }
}
