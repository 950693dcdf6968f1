// Cards and what hangs on them: keys given by the client, links without foreign keys, contained entities on two levels.

extension SeamModel {
    /// Tags, cards with contained lines and parts, notes with a key of two parts, clips.
    static let cards = """
          <EntityType Name="Tag"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Color" Type="Edm.String"/>
            <NavigationProperty Name="Memos" Type="Collection(S.Memo)" Partner="Tag">
              <OnDelete Action="SetNull"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Card" OpenType="true"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/>
            <NavigationProperty Name="Peers" Type="Collection(S.Card)" Partner="PeerOf"/>
            <NavigationProperty Name="PeerOf" Type="Collection(S.Card)" Partner="Peers"/>
            <NavigationProperty Name="Tag" Type="S.Tag"/>
            <NavigationProperty Name="Item" Type="S.Item"/>
            <NavigationProperty Name="Notes" Type="Collection(S.Note)" Partner="Card"/>
          </EntityType>
          <EntityType Name="Note"><Key><PropertyRef Name="Day"/><PropertyRef Name="No"/></Key>
            <Property Name="Day" Type="Edm.Int32" Nullable="false"/>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="At" Type="Edm.DateTimeOffset" Precision="7"/>
            <NavigationProperty Name="Card" Type="S.Card" Partner="Notes"/>
            <NavigationProperty Name="Clips" Type="Collection(S.Clip)" Partner="Note"/>
          </EntityType>
          <EntityType Name="Clip"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <Property Name="NoteDay" Type="Edm.Int32"/>
            <Property Name="NoteNo" Type="Edm.Int32"/>
            <NavigationProperty Name="Note" Type="S.Note" Partner="Clips">
              <ReferentialConstraint Property="NoteDay" ReferencedProperty="Day"/>
              <ReferentialConstraint Property="NoteNo" ReferencedProperty="No"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <NavigationProperty Name="Parts" Type="Collection(S.Part)" ContainsTarget="true"/>
          </EntityType>
          <EntityType Name="Part"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
          </EntityType>
        """
}
