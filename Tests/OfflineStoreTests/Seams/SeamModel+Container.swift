// Actions, sets and singletons; some of these cannot be changed.

extension SeamModel {
    /// Actions and the container.
    static let container = """
          <Action Name="close" IsBound="true"><Parameter Name="order" Type="S.Order"/></Action>
          <Action Name="attach"><Parameter Name="tag" Type="Edm.String"/></Action>
          <Action Name="gather"><Parameter Name="tags" Type="Collection(S.Tag)"/></Action>
          <EntityContainer Name="C">
            <ActionImport Name="attach" Action="S.attach"/>
            <ActionImport Name="gather" Action="S.gather"/>
            <EntitySet Name="Cards" EntityType="S.Card">
              <NavigationPropertyBinding Path="Peers" Target="Cards"/>
              <NavigationPropertyBinding Path="PeerOf" Target="Cards"/>
              <NavigationPropertyBinding Path="Tag" Target="Tags"/>
              <NavigationPropertyBinding Path="Item" Target="Items"/>
              <NavigationPropertyBinding Path="Notes" Target="Notes"/></EntitySet>
            <EntitySet Name="Notes" EntityType="S.Note">
              <NavigationPropertyBinding Path="Card" Target="Cards"/>
              <NavigationPropertyBinding Path="Clips" Target="Clips"/></EntitySet>
            <EntitySet Name="Clips" EntityType="S.Clip">
              <NavigationPropertyBinding Path="Note" Target="Notes"/></EntitySet>
            <EntitySet Name="Steps" EntityType="S.Step">
              <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
            <EntitySet Name="Photos" EntityType="S.Photo"/>
            <EntitySet Name="Memos" EntityType="S.Memo">
              <Annotation Term="Org.OData.Core.V1.OptimisticConcurrency"><Collection>
                <PropertyPath>Count</PropertyPath></Collection></Annotation>
              <NavigationPropertyBinding Path="Tag" Target="Tags"/>
              <NavigationPropertyBinding Path="Box" Target="Boxes"/></EntitySet>
            <EntitySet Name="Boxes" EntityType="S.Box"/>
            <EntitySet Name="Stamps" EntityType="S.Photo">
              <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions"><Record>
                <PropertyValue Property="Insertable" Bool="false"/></Record></Annotation>
              <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
                <PropertyValue Property="Updatable" Bool="false"/></Record></Annotation>
              <Annotation Term="Org.OData.Capabilities.V1.DeleteRestrictions"><Record>
                <PropertyValue Property="Deletable" Bool="false"/></Record></Annotation>
            </EntitySet>
            <Singleton Name="Top" Type="S.Tag"/>
            <Singleton Name="Seal" Type="S.Tag">
              <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>
                <PropertyValue Property="Updatable" Bool="false"/></Record></Annotation></Singleton>
            <EntitySet Name="Orders" EntityType="S.Order">
              <NavigationPropertyBinding Path="Items" Target="Items"/>
              <NavigationPropertyBinding Path="Tags" Target="Tags"/>
              <NavigationPropertyBinding Path="Main" Target="Tags"/>
              <NavigationPropertyBinding Path="Steps" Target="Steps"/></EntitySet>
            <EntitySet Name="Items" EntityType="S.Item">
              <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
            <EntitySet Name="Tags" EntityType="S.Tag">
              <NavigationPropertyBinding Path="Memos" Target="Memos"/></EntitySet>
          </EntityContainer>
        """
}
