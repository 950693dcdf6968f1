// One import for all of the protocol.
@_exported public import ODataHTTP
@_exported public import ODataPayload
@_exported public import ODataURL
