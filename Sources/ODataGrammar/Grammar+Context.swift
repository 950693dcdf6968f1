extension Grammar {
    /// Fragments of context URLs (OData 4.01 ABNF, section 3).
    static let contextRules = #"""
        context = "#" contextFragment
        contextFragment = %s"Collection($ref)" / %s"$ref" / %s"Collection(Edm.EntityType)" / %s"Collection(Edm.ComplexType)"
          / singletonEntity [ navigation *containmentNavigation [ "/" qualifiedEntityTypeName ] ] [ selectList ]
          / qualifiedTypeName [ selectList ]
          / entitySet ( %s"/$deletedEntity" / %s"/$link" / %s"/$deletedLink" )
          / entitySet contextKeyPredicate "/" contextPropertyPath [ selectList ]
          / entitySet [ selectList ] [ %s"/$entity" / %s"/$delta" ]
        entitySet = entitySetName *containmentNavigation [ "/" qualifiedEntityTypeName ]
        containmentNavigation = contextKeyPredicate [ "/" qualifiedEntityTypeName ] navigation
        navigation = *( "/" complexProperty [ "/" qualifiedComplexTypeName ] ) "/" navigationProperty
        contextKeyPredicate = "(" ( contextKeyValue / contextKeyValuePair *( "," contextKeyValuePair ) ) ")"
        contextKeyValuePair = ( primitiveKeyProperty / keyPropertyAlias ) EQ contextKeyValue
        contextKeyValue = boolean / guid / dateTimeOffsetValue / date / timeOfDayValue / decimalValue / sbyteValue / byte
          / int16Value / int32Value / int64Value / stringValue / durationValue / enumValue
        stringValue = %x27 *( %x00-26 / %x27 %x27 / %x28-FF ) %x27

        selectList = "(" [ selectListItem *( "," selectListItem ) ] ")"
        selectListItem = "*" / allOperationsInSchema
          / [ ( qualifiedEntityTypeName / qualifiedComplexTypeName ) "/" ]
            ( qualifiedActionName / qualifiedFunctionName / selectListProperty )
        selectListProperty = primitiveProperty / primitiveColProperty
          / ( navigationProperty / entityAnnotationInFragment ) [ "+" ] [ selectList ]
          / ( complexProperty / complexColProperty / complexAnnotationInFragment ) [ "/" qualifiedComplexTypeName ]
            [ "/" selectListProperty ]
        contextPropertyPath = odataIdentifier [ [ "/" qualifiedComplexTypeName ] "/" contextPropertyPath ]
        qualifiedActionName = namespace "." action
        qualifiedFunctionName = namespace "." function [ "(" parameterName *( "," parameterName ) ")" ]
        complexAnnotationInFragment = annotationInFragment
        entityAnnotationInFragment = annotationInFragment
        """#
}
