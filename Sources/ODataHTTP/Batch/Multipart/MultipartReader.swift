/// Reads the parts of one multipart batch body; requests strictly, responses as far as they can be understood.
struct MultipartReader {
    let bytes: [UInt8]
    let limits: BatchLimits
    let isLenient: Bool
    private(set) var partCount = 0

    init(_ bytes: [UInt8], limits: BatchLimits, isLenient: Bool) {
        self.bytes = bytes
        self.limits = limits
        self.isLenient = isLenient
    }

    /// Returns the boundary that a content type names.
    static func boundary(of contentType: String) throws(BatchError) -> String {
        guard let type = MediaType(contentType), type.isType("multipart/mixed"),
            let boundary = type[parameter: "boundary"], !boundary.isEmpty
        else {
            throw BatchError(
                .wrongContentType,
                "the content type is no multipart/mixed with a boundary"
            )
        }
        return boundary
    }

    func split(_ range: Range<Int>, boundary: String) throws(BatchError) -> MultipartBody {
        try MultipartBody(bytes, in: range, boundary: boundary, maximumParts: limits.parts)
    }

    func part(_ range: Range<Int>) throws(BatchError) -> MultipartPart {
        try MultipartPart(bytes, in: range, limits: limits, isLenient: isLenient)
    }

    /// Reads a message and counts it.
    mutating func message(_ range: Range<Int>) throws(BatchError) -> EmbeddedMessage {
        partCount += 1
        guard partCount <= limits.parts else {
            throw BatchError(
                .tooLarge,
                "more than \(limits.parts) requests",
                offset: range.lowerBound
            )
        }
        return try EmbeddedMessage(bytes, in: range, limits: limits, isLenient: isLenient)
    }

    /// Returns the name of a request, which some write into the inner head.
    func contentID(_ part: MultipartPart, message: EmbeddedMessage) -> String? {
        part.contentID ?? message.headers["Content-ID"]
    }
}
