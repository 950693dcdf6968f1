extension SeamScript {
    /// What services may leave unsaid, or do otherwise.
    static let freedoms = [
        SeamScript(
            "a query that asks for a part of the links leaves the rest to the one that brings it",
            #"""
            query Orders Orders?$expand=Tags
            query Some Orders?$expand=Tags($filter=Color eq 'c')
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"a"},{"Name":"b"}]}
            full Some {"ID":1,"Tags":[{"Name":"b"}]}
            full Tags {"Name":"a"} {"Name":"b"}
            merge
            rows Orders(1)/Tags
              {Name:a}
              {Name:b}
            full Orders {"ID":1,"Tags":[{"Name":"a"}]}
            merge
            rows Orders(1)/Tags
              {Name:a}
            """#
        ),
        SeamScript(
            "a query along a navigation property says what its entities are related to",
            #"""
            query Tags Orders(1)/Tags
            query Orders Orders
            full Tags {"Name":"a"} {"Name":"b"}
            full Orders {"ID":1}
            merge
            rows Orders(1)/Tags
              {Name:a}
              {Name:b}
            full Tags {"Name":"b"}
            merge
              remark: 1 of 2 entities were removed, since the service did not send them any more
            rows Orders(1)/Tags
              {Name:b}
            """#
        ),
        SeamScript(
            "the last contained entity goes that a query along its parent does not bring any more",
            #"""
            query Cards Cards
            query Lines Cards('a')/Lines
            full Cards {"Name":"a"}
            full Lines {"No":1}
            merge
            rows Cards('a')/Lines
              {No:1}
            full Lines
            merge
              remark: 1 of 1 entities were removed, since the service did not send them any more
            rows Cards('a')/Lines
            """#
        ),
        SeamScript(
            "what is expanded says what a foreign key is that was not selected",
            #"""
            query Items Items?$select=ID,Text&$expand=Order
            query Orders Orders
            full Items {"ID":1,"Order":{"ID":7}} {"ID":2,"Order":null}
            full Orders {"ID":7} {"ID":8}
            merge
            rows Items
              {ID:1 OrderID:7}
              {ID:2}
            full Items {"ID":1,"Order":null} {"ID":2,"Order":{"ID":8}}
            full Orders {"ID":7} {"ID":8}
            merge
            rows Items
              {ID:1}
              {ID:2 OrderID:8}
            """#
        ),
        SeamScript(
            "what is deleted or moved here lets go what it led to",
            #"""
            query Items Items?$expand=Order
            full Items {"ID":1,"OrderID":1,"Order":{"ID":1}} {"ID":2,"OrderID":2,"Order":{"ID":2}}
            merge
            PATCH Items(1) {"OrderID":null}
            DELETE Items(2)
            send
              1 PATCH Items(1) If-Match: * stale {"OrderID":null}
              2 DELETE Items(2) If-Match: * stale
            ok 1
            ok 2
            delta Items {"ID":1,"OrderID":null,"Order":null}
            merge
            rows Orders
            """#
        ),
        SeamScript(
            "what left its set while it is deleted here is looked for in full by those that hold it",
            #"""
            query Orders Orders?$expand=Items
            query Items Items
            full Orders {"ID":1,"Items":[{"ID":5,"OrderID":1}]}
            full Items {"ID":5,"OrderID":1}
            merge
            DELETE Items(5)
            delta Orders
            delta Items {"@removed":{"reason":"changed"},"@id":"Items(5)"}
            merge
            tasks
              Orders full
              Items delta
            full Orders {"ID":1,"Items":[]}
            merge
            drop 1
            rows Items
            """#
        ),
        SeamScript(
            "what left an expanded collection while it is deleted here does not stay when it is taken back",
            #"""
            query Orders Orders?$expand=Items
            query Items Items
            full Orders {"ID":1,"Items":[{"ID":5,"OrderID":1}]} {"ID":2,"Items":[]}
            full Items {"ID":5,"OrderID":1}
            merge
            PATCH Items(5) {"OrderID":2}
            DELETE Items(5)
            delta Orders {"ID":1,"Items":[]}
            full Items
            merge
            drop 2
            drop 1
            rows Items
            """#
        ),
        SeamScript(
            "what left all queries by deltas while it is deleted here goes with the merge after it was taken back",
            #"""
            query Orders Orders?$expand=Items
            query Items Items
            full Orders {"ID":1,"Items":[{"ID":5,"OrderID":1},{"ID":6,"OrderID":1}]}
            full Items {"ID":5,"OrderID":1} {"ID":6,"OrderID":1}
            merge
            DELETE Items(5)
            delta Orders {"ID":1,"Items":[{"ID":6,"OrderID":1}]}
            delta Items {"@removed":{"reason":"changed"},"@id":"Items(5)"}
            merge
            tasks
              Orders delta
              Items delta
            drop 1
            delta Orders
            delta Items
            merge
            rows Items
              {ID:6 OrderID:1}
            """#
        ),
        SeamScript(
            "a tombstone means what is deleted here, not what is to be created with its key",
            #"""
            query Tags Tags
            full Tags {"Name":"t","Color":"a"}
            merge
            DELETE Tags('t')
            POST Tags {"Name":"t","Color":"b"}
              -> Tags('t')
            delta Tags {"@removed":{"reason":"deleted"},"@id":"Tags('t')"}
            merge
            drop 2
            drop 1
            rows Tags
            """#
        ),
        SeamScript(
            "what was deleted and created again with its key has no former link and contains nothing of the former",
            #"""
            query Orders Orders?$expand=Tags
            query Items Items?$expand=Marks
            full Orders {"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}]} {"ID":2,"Tags":[{"Name":"t"}]}
            full Items {"ID":5,"Marks":[{"No":1},{"No":2}]} {"ID":6,"Marks":[{"No":1}]}
            merge
            delta Orders {"@removed":{"reason":"deleted"},"@id":"Orders(1)"} {"ID":1,"Title":"new","Tags@delta":[{"@id":"Tags('u')"}]}
            delta Items {"@removed":{"reason":"deleted"},"@id":"Items(5)"} {"ID":5,"Marks@delta":[{"No":2}]}
            merge
            rows Orders(1)/Tags
              {Name:u}
            rows Orders(2)/Tags
              {Name:t}
            rows Items(5)/Marks
              {No:2}
            rows Items(6)/Marks
              {No:1}
            """#
        ),
        SeamScript(
            "links to what another query shows as a new entity end with the tombstone of the former",
            #"""
            query Tags Tags
            query Orders Orders?$expand=Tags
            full Tags {"Name":"t","Color":"old"}
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            merge
            delta Tags {"Name":"t","Color":"new"}
            delta Orders {"@removed":{"reason":"deleted"},"@id":"Tags('t')"}
            merge
            rows Orders(1)/Tags
            rows Tags
              {Name:t Color:new}
            """#
        ),
        SeamScript(
            "a link to what a nested delta calls deleted ends, though a change keeps the entity here",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"t","Color":"a"}]}
            full Tags {"Name":"t","Color":"a"}
            merge
            PATCH Tags('t') {"Color":"b"}
            delta Orders {"ID":1,"Tags@delta":[{"@removed":{"reason":"deleted"},"@id":"Tags('t')"}]}
            delta Tags {"@removed":{"reason":"deleted"},"@id":"Tags('t')"}
            merge
            rows Orders(1)/Tags
            rows Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:b}
            """#
        ),
        SeamScript(
            "a link that was sent and that a delta is silent about is looked for",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[]} {"ID":2,"Tags":[]}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            ok 1
            delta Orders {"ID":1,"Tags":[{"Name":"t"}]}
            delta Tags
            merge
            tasks
              Orders delta
              Tags delta
            POST Orders(2)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              2 POST Orders(2)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            ok 2
            delta Orders {"ID":1,"Title":"b"}
            delta Tags
            merge
            tasks
              Orders full
              Tags delta
            """#
        ),
        SeamScript(
            "a query that does not ask for contained entities removes none",
            #"""
            query Cards Cards?$expand=Lines
            query All Cards
            full Cards {"Name":"a","Lines":[]}
            full All {"Name":"a"}
            merge
            POST Cards('a')/Lines {"No":5}
              -> Cards('a')/Lines(5)
            send
              1 POST Cards('a')/Lines {"No":5}
            ok 1 {"No":5}
            full All {"Name":"a"}
            merge
            rows Cards('a')/Lines
              {isLocal No:5}
            """#
        ),
        SeamScript(
            "entities created inline get the keys of each other",
            #"""
            query Cards Cards?$expand=Lines
            full Cards
            merge
            POST Cards {"Name":"a","Lines":[{"No":1,"Text":"x"},{"No":2,"Text":"y"}]}
              -> Cards('a')
            PATCH Cards('a')/Lines(1) {"Text":"z"}
            DELETE Cards('a')/Lines(2)
            send
              1 POST Cards {"Name":"a","Lines":[{"No":1,"Text":"x"},{"No":2,"Text":"y"}]}
            ok 1 {"Name":"a","Lines":[{"No":2,"Text":"x"},{"No":1,"Text":"y"}]}
            send
              2 PATCH Cards('a')/Lines(2) If-Match: * {"Text":"z"}
              3 DELETE Cards('a')/Lines(1) If-Match: *
            """#
        ),
        SeamScript(
            "without ETags what a waiting change writes over is a conflict",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a","Price":1}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            PATCH Orders(1) {"Title":"mine"}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            ok 1
            delta Orders {"ID":1,"Title":"theirs"}
            merge
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:1 Title:mine Price:1}
            """#
        ),
        SeamScript(
            "a nested delta tells of a link that waits here too",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[]}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            delta Orders {"ID":1,"Tags@delta":[{"Name":"t"}]}
            merge
            drop 1
            rows Orders(1)/Tags
              {Name:t}
            """#
        ),
    ]
}
