// An application imports this module alone: what stands in its signatures is in scope with it, also where the compiler wants each
// module named whose members are used (MemberImportVisibility).
@_exported public import ODataModel
@_exported public import ODataHTTP
@_exported public import ODataPayload
@_exported public import ODataURL
@_exported public import ODataAnswers

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
