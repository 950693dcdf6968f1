import ODataProtocol

struct JSONWriter {
    init(bytes: [UInt8] = []) { self.bytes = bytes }
    var bytes: [UInt8] = []
    private var needsComma = false
    mutating func separate() { if needsComma { bytes.append(0x2C) }; needsComma = false }
    mutating func beginObject() { separate(); bytes.append(0x7B) }
    mutating func endObject() { bytes.append(0x7D); needsComma = true }
    mutating func name(_ name: String) { separate(); quoted(Array(name.utf8).span); bytes.append(0x3A) }
    mutating func string(_ text: String) { separate(); quoted(Array(text.utf8).span); needsComma = true }
    mutating func raw(_ json: String) { separate(); bytes += json.utf8; needsComma = true }
    mutating func null() { raw("null") }
    mutating func quoted(_ text: Span<UInt8>) {
        bytes.append(0x22)
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case 0x22, 0x5C: bytes.append(0x5C); bytes.append(byte)
            case 0..<0x20: bytes += "\\u00".utf8; bytes += (byte < 16 ? "0" : "").utf8; bytes += String(byte, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
