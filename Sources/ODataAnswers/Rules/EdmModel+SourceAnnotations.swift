import ODataModel

extension EdmModel {
    /// What the metadata says of a set or a singleton itself; nothing for contained entities.
    func annotations(of source: NavigationSource) -> [Annotation] {
        switch source {
        case .entitySet(let index): container.entitySets[index].annotations
        case .singleton(let index): container.singletons[index].annotations
        case .contained: []
        }
    }
}
