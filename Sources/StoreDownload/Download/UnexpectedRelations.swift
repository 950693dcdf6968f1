/// A service has sent related entities that were not asked for (`Org.OData.Core.V1.AutoExpand`, for example) where rows go straight into
/// their table: such a load begins anew, by the staging file, which keeps links.
package struct UnexpectedRelations: Error {}
