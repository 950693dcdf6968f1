// An application imports this module alone: what stands in its signatures is in scope with it, also where the compiler wants each
// module named whose members are used (MemberImportVisibility).
@_exported public import ODataText
@_exported public import ODataModel
@_exported public import ODataModelComparison
@_exported public import ODataHTTP
@_exported public import ODataValues
@_exported public import ODataPayload
@_exported public import ODataURL
@_exported public import ODataBinding
@_exported public import ODataAnswers
@_exported public import OfflineValues
@_exported public import ODataClient
@_exported public import OfflineSync
@_exported public import OfflineProvider

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
