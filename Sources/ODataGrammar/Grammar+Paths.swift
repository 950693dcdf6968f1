extension Grammar {
    /// Requests and resource paths (OData 4.01 ABNF, section 1).
    ///
    /// Without a model a name may be anything, so alternatives that differ by the kind of a name alone are written once.
    static let pathRules = #"""
        odataUri = serviceRoot [ odataRelativeUri ]
        serviceRoot = ( "https" / "http" ) "://" host [ ":" port ] "/" *( segment-nz "/" )
        odataRelativeUri = %s"$batch" [ "?" batchOptions ]
          / %s"$entity" "?" entityOptions
          / %s"$entity" "/" optionallyQualifiedEntityTypeName "?" entityCastOptions
          / %s"$metadata" [ "?" metadataOptions ] [ context ]
          / resourcePath [ "?" [ queryOptions ] ]

        resourcePath = entitySetName [ collectionNavigation ]
          / singletonEntity [ singleNavigation ]
          / anyFunctionImportCall [ collectionNavigation / singleNavigation / collectionPath ]
          / functionImportCallNoParens [ querySegment ]
          / crossjoin [ querySegment ]
          / %s"$all" [ "/" optionallyQualifiedEntityTypeName ]
        anyFunctionImportCall = odataIdentifier functionParameters
        collectionNavigation = [ "/" optionallyQualifiedEntityTypeName ] collectionNavPath
          / "/" optionallyQualifiedEntityTypeName
        collectionNavPath = keyPredicate [ singleNavigation ]
          / filterInPath [ collectionNavigation ]
          / each [ boundOperation ]
          / boundOperation / count / ref / querySegment

        keyPredicate = simpleKey / compoundKey / keyPathSegments
        simpleKey = OPEN ( parameterAlias / keyPropertyValue ) CLOSE
        compoundKey = OPEN keyValuePair *( COMMA keyValuePair ) CLOSE
        keyValuePair = ( primitiveKeyProperty / keyPropertyAlias ) EQ ( parameterAlias / keyPropertyValue )
        keyPropertyAlias = odataIdentifier
        keyPathSegments = 1*( "/" keyPathLiteral )
        ; Segments that begin with a dollar sign are reserved (OData 4.01 Part 2 § 4.3.6).
        keyPathLiteral = [ pchar-no-dollar *pchar ]
        pchar-no-dollar = unreserved / pct-encoded / other-delims / "&" / "'" / "=" / ":" / "@"
        keyPropertyValue = boolean / guid / dateTimeOffsetLiteral / date / timeOfDayLiteral / decimalLiteral
          / sbyteLiteral / byte / int16Literal / int32Literal / int64Literal / stringLiteral / durationLiteral
          / enumLiteral

        singleNavigation = [ "/" optionallyQualifiedEntityTypeName ] singleNavPath
          / "/" optionallyQualifiedEntityTypeName
        singleNavPath = "/" propertyPath / boundOperation / ref / value / querySegment
        propertyPath = odataIdentifier
          [ collectionNavigation / singleNavigation / collectionPath / complexColPath / complexPath / primitivePath ]
        collectionPath = count / boundOperation / ordinalIndex / querySegment
        primitivePath = value / boundOperation / querySegment
        complexColPath = collectionPath / "/" optionallyQualifiedComplexTypeName [ collectionPath ]
        complexPath = complexNavPath / "/" optionallyQualifiedComplexTypeName [ complexNavPath ]
        complexNavPath = "/" propertyPath / boundOperation / querySegment

        filterInPath = %s"/$filter" OPEN boolCommonExpr CLOSE
        each = %s"/$each"
        count = %s"/$count"
        ref = %s"/$ref"
        value = %s"/$value"
        querySegment = %s"/$query"
        ordinalIndex = "/" [ "-" ] 1*DIGIT

        boundOperation = "/" ( boundActionCall / boundFunctionCallNoParens [ querySegment ]
          / anyBoundFunctionCall [ collectionNavigation / singleNavigation / collectionPath ] )
        anyBoundFunctionCall = [ namespace "." ] odataIdentifier functionParameters
        actionImportCall = actionImport
        boundActionCall = [ namespace "." ] action
        boundEntityFunctionCall = anyBoundFunctionCall
        boundEntityColFunctionCall = anyBoundFunctionCall
        boundComplexFunctionCall = anyBoundFunctionCall
        boundComplexColFunctionCall = anyBoundFunctionCall
        boundPrimitiveFunctionCall = anyBoundFunctionCall
        boundPrimitiveColFunctionCall = anyBoundFunctionCall
        boundFunctionCallNoParens = [ namespace "." ] odataIdentifier
        entityFunctionImportCall = anyFunctionImportCall
        entityColFunctionImportCall = anyFunctionImportCall
        complexFunctionImportCall = anyFunctionImportCall
        complexColFunctionImportCall = anyFunctionImportCall
        primitiveFunctionImportCall = anyFunctionImportCall
        primitiveColFunctionImportCall = anyFunctionImportCall
        functionImportCallNoParens = odataIdentifier
        functionParameters = OPEN [ BWS functionParameter *( BWS COMMA BWS functionParameter ) ] BWS CLOSE
        functionParameter = parameterName EQ ( parameterAlias / primitiveLiteral )
        parameterName = odataIdentifier
        parameterAlias = AT odataIdentifier
        crossjoin = %s"$crossjoin" OPEN entitySetName *( COMMA entitySetName ) CLOSE
        """#
}
