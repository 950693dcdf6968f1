// One import for all of the protocol.
@_exported public import ODataBinding
@_exported public import ODataHTTP
@_exported public import ODataText
@_exported public import ODataPayload
@_exported public import ODataURL
@_exported public import ODataValues
