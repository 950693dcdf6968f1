#if canImport(CMicroHTTPD)
    import CMicroHTTPD
    import ODataHTTP

    /// Returns the header fields of a request in order; bytes that are no UTF-8 are repaired.
    func readHeaders(of connection: OpaquePointer) -> [HTTPHeaders.Field] {
        let fields = FieldList()
        unsafe cmhd_each_header(
            connection,
            { context, _, name, value in
                guard let context = unsafe context, let name = unsafe name else { return .NO }
                let fields = unsafe Unmanaged<FieldList>.fromOpaque(context).takeUnretainedValue()
                let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
                unsafe fields.fields.append(.init(name: String(cString: name), value: text))
                return .YES
            },
            Unmanaged.passUnretained(fields).toOpaque()
        )
        return withExtendedLifetime(fields) { fields.fields }
    }

    private final class FieldList {
        var fields: [HTTPHeaders.Field] = []
    }
#endif
