// One import for the policies and what carries them out.
@_exported public import OfflinePolicies
