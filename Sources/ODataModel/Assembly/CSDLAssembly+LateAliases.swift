// Terms whose alias was declared behind them.

extension CSDLAssembly {
    /// Gives terms their right names where the alias was declared after its first use.
    mutating func renameLateTerms() {
        guard !lateTerms.isEmpty else { return }
        for index in targetedAnnotations.indices {
            rename(&targetedAnnotations[index].annotations)
        }
        for index in model.structuredTypes.indices { rename(&model.structuredTypes[index]) }
        for index in model.enumTypes.indices { rename(&model.enumTypes[index].annotations) }
        for index in model.typeDefinitions.indices {
            rename(&model.typeDefinitions[index].annotations)
        }
        for index in model.operations.indices { rename(&model.operations[index].annotations) }
        rename(&model.container.annotations)
        for index in model.container.entitySets.indices {
            rename(&model.container.entitySets[index].annotations)
        }
        for index in model.container.singletons.indices {
            rename(&model.container.singletons[index].annotations)
        }
    }

    private func rename(_ type: inout StructuredType) {
        rename(&type.declared.present.annotations)
        for index in type.ownProperties.indices { rename(&type.ownProperties[index].annotations) }
        for index in type.ownNavigations.indices { rename(&type.ownNavigations[index].annotations) }
    }

    private func rename(_ annotations: inout [Annotation]) {
        for index in annotations.indices {
            if let name = lateTerms[annotations[index].term] { annotations[index].term = name }
        }
    }
}
