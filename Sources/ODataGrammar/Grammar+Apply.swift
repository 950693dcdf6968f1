extension Grammar {
    /// `$apply` (OData Aggregation ABNF 4.0).
    static let applyRules = #"""
        apply = ( "$apply" / "apply" ) EQ applyExpr
        applyExpr = applyTrafo *( "/" applyTrafo )
        applyTrafo = aggregateTrafo / computeTrafo / concatTrafo / groupbyTrafo / joinTrafo / nestTrafo
          / outerjoinTrafo / preservingTrafo
        preservingTrafo = bottomcountTrafo / bottompercentTrafo / bottomsumTrafo / filterTrafo / identityTrafo
          / orderbyTrafo / searchTrafo / skipTrafo / topTrafo / topcountTrafo / toppercentTrafo / topsumTrafo
          / hierarchyTrafo
        hierarchyTrafo = ancestorsTrafo / descendantsTrafo / traverseTrafo / customFunction
        preservingTrafos = preservingTrafo *( "/" preservingTrafo )
        hierarchyTrafos = hierarchyTrafo *( "/" hierarchyTrafo )

        aggregateTrafo = %s"aggregate" OPEN BWS aggregateExpr *( BWS COMMA BWS aggregateExpr ) BWS CLOSE
        aggregateExpr = ( aggrPathPrefix / aggrCastPath ) nonprimAggWith [ aggregateFrom ] asAlias
          / aggregatableExpW [ aggregateFrom ] asAlias
          / aggregateCount [ aggregateFrom ] asAlias
          / aggregateCustom [ [ customFrom ] asAlias ]
        aggregatableExpr = commonExpr
        aggregatableExpW = aggregatableExpr aggregateWith
        aggrPathPrefix = [ aggrCastPath "/" ] aggrPropPath
        aggregateWith = RWS %s"with" RWS aggregateMethod
        nonprimAggWith = RWS %s"with" RWS nonprimAggMethod
        aggregateFrom = 1*( RWS %s"from" RWS groupingProperties aggregateWith )
        customFrom = 1*( RWS %s"from" RWS groupingProperties [ aggregateWith ] )
        aggregateMethod = %s"sum" / %s"min" / %s"max" / %s"average" / nonprimAggMethod
        nonprimAggMethod = %s"countdistinct" / namespace "." odataIdentifier
        aggregateCount = %s"$count" / [ aggrCastPath "/" ] aggrPrimPath count / ( aggrPathPrefix / aggrCastPath ) count
        aggregateCustom = [ ( aggrPathPrefix / aggrCastPath ) "/" ] customAggregate
        asAlias = RWS %s"as" RWS expressionAlias
        expressionAlias = odataIdentifier
        customAggregate = odataIdentifier

        aggrPropStep = odataIdentifier [ "/" aggrCastPath ]
        aggrPropPath = aggrPropStep *( "/" aggrPropStep )
        aggrPrimPath = *( aggrPropStep "/" ) odataIdentifier
        aggrCastPath = optionallyQualifiedComplexTypeName / optionallyQualifiedEntityTypeName
        nestPropPath = odataIdentifier *( [ "/" optionallyQualifiedComplexTypeName ] "/" odataIdentifier )
        snglPropPath = odataIdentifier *( [ "/" aggrCastPath ] "/" odataIdentifier )
        snglPrimPath = *( odataIdentifier [ "/" aggrCastPath ] "/" ) odataIdentifier
        groupingProperty = [ aggrCastPath "/" ] ( snglPrimPath / snglPropPath )
        groupingProperties = groupingProperty *( BWS COMMA BWS groupingProperty )

        collectionExpr = commonExpr
        currCollectionExpr = %s"$these" collectionPathExpr
        computeTrafo = %s"compute" OPEN BWS computeExpr *( BWS COMMA BWS computeExpr ) BWS CLOSE
        computeExpr = commonExpr asAlias
        rankedArguments = OPEN BWS collectionExpr BWS COMMA BWS commonExpr BWS CLOSE
        bottomcountTrafo = %s"bottomcount" rankedArguments
        bottompercentTrafo = %s"bottompercent" rankedArguments
        bottomsumTrafo = %s"bottomsum" rankedArguments
        topcountTrafo = %s"topcount" rankedArguments
        toppercentTrafo = %s"toppercent" rankedArguments
        topsumTrafo = %s"topsum" rankedArguments
        concatTrafo = %s"concat" OPEN BWS applyExpr 1*( BWS COMMA BWS applyExpr ) BWS CLOSE

        nestTrafo = %s"nest" OPEN BWS nestApplyExpr BWS CLOSE
          / %s"addnested" OPEN BWS nestPath BWS COMMA BWS nestApplyExpr BWS CLOSE
        nestPath = [ aggrCastPath "/" ] ( [ nestPropPath "/" ] navigationProperty [ "/" optionallyQualifiedEntityTypeName ]
          / nestPropPath )
        nestApplyExpr = applyExpr asAlias *( BWS COMMA BWS applyExpr asAlias )
        joinArguments = OPEN BWS joinProperty asAlias [ BWS COMMA BWS applyExpr ] BWS CLOSE
        joinTrafo = %s"join" joinArguments
        outerjoinTrafo = %s"outerjoin" joinArguments
        joinProperty = odataIdentifier [ "/" optionallyQualifiedEntityTypeName ] / annotationInQuery

        hierarchyArguments = OPEN BWS recHierReference BWS COMMA BWS preservingTrafos BWS
          [ COMMA BWS 1*DIGIT BWS ] [ COMMA BWS %s"keep start" BWS ] CLOSE
        ancestorsTrafo = %s"ancestors" hierarchyArguments
        descendantsTrafo = %s"descendants" hierarchyArguments
        traverseTrafo = %s"traverse" OPEN BWS recHierReference BWS COMMA BWS ( %s"preorder" / %s"postorder" ) BWS
          [ COMMA BWS preservingTrafos BWS ] [ COMMA BWS orderbyItem *( BWS COMMA BWS orderbyItem ) BWS ] CLOSE
        recHierReference = rootExpr BWS COMMA BWS recHierQualifier BWS COMMA BWS recHierPropertyPath
        recHierQualifier = odataIdentifier
        recHierPropertyPath = [ aggrCastPath "/" ] aggrPrimPath

        filterTrafo = %s"filter" OPEN BWS boolCommonExpr BWS CLOSE
        searchTrafo = %s"search" OPEN BWS ( searchExpr / searchExpr-incomplete ) BWS CLOSE
        groupbyTrafo = %s"groupby" OPEN BWS groupbyList [ BWS COMMA BWS applyExpr ] BWS CLOSE
        groupbyList = OPEN BWS groupbyElement *( BWS COMMA BWS groupbyElement ) BWS CLOSE
        groupbyElement = groupingProperty / rollupLevels / rollupRecursive
        rollupLevels = %s"rollup" OPEN BWS ( rollupUnnamedHier / rollupNamedHier ) BWS CLOSE
        rollupRecursive = %s"rolluprecursive" OPEN BWS recHierReference BWS [ COMMA BWS hierarchyTrafos BWS ] CLOSE
        rollupUnnamedHier = groupingProperty 1*( BWS COMMA BWS groupingProperty )
        rollupNamedHier = odataIdentifier
        identityTrafo = %s"identity"
        topTrafo = %s"top" OPEN BWS 1*DIGIT BWS CLOSE
        skipTrafo = %s"skip" OPEN BWS 1*DIGIT BWS CLOSE
        orderbyTrafo = %s"orderby" OPEN orderbyItem *( BWS COMMA BWS orderbyItem ) CLOSE
        customFunction = namespace "." odataIdentifier functionExprParameters

        isdefinedExpr = %s"isdefined" OPEN BWS firstMemberExpr BWS CLOSE
        aggregateFunctionExpr = aggregatableExpW [ aggregateFrom ] / aggrPathPrefix nonprimAggWith [ aggregateFrom ]
          / aggregateCount [ aggregateFrom ] / aggregateCustom [ customFrom ]
        """#
}
