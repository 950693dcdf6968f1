extension SeamScript {
    /// Links and rows of several pages, over waiting changes.
    static let links = [
        SeamScript(
            "a link removed here and there stays removed",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"}
            merge
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            full Orders {"ID":1,"Tags":[]}
            merge
            drop 1
            rows Orders(1)/Tags
            """#
        ),
        SeamScript(
            "a link added here and there stays",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[]}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            merge
            drop 1
            rows Orders(1)/Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a link removed here that a delta does not mention comes back",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"}
            merge
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            delta Orders {"ID":1,"Title":"x"}
            merge
            rows Orders(1)/Tags
            drop 1
            rows Orders(1)/Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a link added, sent and removed",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[]}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            ok 1
            rows Orders(1)/Tags
            drop 2
            rows Orders(1)/Tags
              {Name:t}
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            send
              3 DELETE Orders(1)/Tags/$ref?$id=http://service/Tags('t')
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            ok 3
            drop 4
            rows Orders(1)/Tags
            """#
        ),
        SeamScript(
            "a single link replaced here and changed there",
            #"""
            query Orders Orders?$expand=Main
            query Tags Tags
            full Orders {"ID":1,"Main":{"Name":"t"}}
            full Tags {"Name":"t"} {"Name":"u"} {"Name":"v"}
            merge
            PUT Orders(1)/Main/$ref {"@odata.id":"Tags('u')"}
            full Orders {"ID":1,"Main":{"Name":"v"}}
            merge
            rows Orders(1)/Main
              {Name:u}
            drop 1
            rows Orders(1)/Main
              {Name:v}
            """#
        ),
        SeamScript(
            "a single link replaced here and changed by a delta",
            #"""
            query Orders Orders?$expand=Main
            query Tags Tags
            full Orders {"ID":1,"Main":{"Name":"t"}}
            full Tags {"Name":"t"} {"Name":"u"} {"Name":"v"}
            merge
            PUT Orders(1)/Main/$ref {"@odata.id":"Tags('u')"}
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)","relationship":"Main","target":"Tags('v')"}
            merge
            rows Orders(1)/Main
              {Name:u}
            drop 1
            rows Orders(1)/Main
              {Name:v}
            """#
        ),
        SeamScript(
            "a target unlinked here stays for the service's link",
            #"""
            query Orders Orders?$expand=Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"}]} {"ID":2,"Tags":[{"Name":"t"}]}
            merge
            DELETE Orders(2)/Tags/$ref?$id=Tags('t')
            delta Orders {"ID":1,"Tags":[]}
            merge
            rows Tags
              {Name:t}
            drop 1
            rows Orders(2)/Tags
              {Name:t}
            delta Orders
            merge
            rows Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a nested delta changes some links",
            #"""
            query Orders Orders?$expand=Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}]}
            merge
            delta Orders {"ID":1,"Tags@delta":[{"Name":"v"},{"@removed":{"reason":"changed"},"@odata.id":"Tags('u')"}]}
            merge
            rows Orders(1)/Tags
              {Name:t}
              {Name:v}
            rows Tags
              {Name:t}
              {Name:v}
            delta Orders {"ID":1,"Tags@delta":[{"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"},{"@odata.id":"Tags('u')"}]}
            merge
              remark: an entity that others lead to now did not come, so that the query is read in full next time: "Tags('u')"
            rows Orders(1)/Tags
              {Name:v}
            """#
        ),
        SeamScript(
            "a delta adds and removes links",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"}]} {"ID":2,"Tags":[]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(2)","relationship":"Tags","target":"Tags('u')"} {"@odata.context":"http://service/$metadata#Orders/$deletedLink","source":"Orders(1)","relationship":"Tags","target":"Tags('t')"}
            merge
            rows Orders(1)/Tags
            rows Orders(2)/Tags
              {Name:u}
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$deletedLink","source":"Orders(2)","relationship":"Tags","target":"Tags('u')"} {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(2)","relationship":"Tags","target":"Tags('u')"}
            merge
            rows Orders(2)/Tags
              {Name:u}
            """#
        ),
        SeamScript(
            "links of a delta change foreign keys",
            #"""
            query Orders Orders?$expand=Items
            query Items Items
            full Orders {"ID":1,"Items":[{"ID":10,"OrderID":1}]} {"ID":2,"Items":[]}
            full Items {"ID":10,"OrderID":1} {"ID":11}
            merge
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(2)","relationship":"Items","target":"Items(10)"} {"@odata.context":"http://service/$metadata#Orders/$deletedLink","source":"Orders(1)","relationship":"Items","target":"Items(10)"}
            merge
            rows Items
              {ID:10 OrderID:2}
              {ID:11}
            PATCH Items(11) {"Text":"x"}
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)","relationship":"Items","target":"Items(11)"}
            merge
            rows Items
              {ID:10 OrderID:2}
              {isLocal hasPendingChanges ID:11 Text:x OrderID:1}
            drop 1
            rows Items
              {ID:10 OrderID:2}
              {ID:11 OrderID:1}
            """#
        ),
        SeamScript(
            "a removed target lapses with the next download of all queries",
            #"""
            query Orders Orders?$expand=Tags
            query Items Items
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            full Items
            merge
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            send
              1 DELETE Orders(1)/Tags/$ref?$id=http://service/Tags('t')
            ok 1
            delta Items
            merge
            rows Tags
              {Name:t}
            delta Orders {"ID":1,"Title":"x"}
            delta Items
            merge
            rows Tags
            """#
        ),
        SeamScript(
            "targets unlinked one after the other lapse together",
            #"""
            query Orders Orders?$expand=Tags
            query Items Items
            full Orders {"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}]}
            full Items
            merge
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            DELETE Orders(1)/Tags/$ref?$id=Tags('u')
            send
              1 DELETE Orders(1)/Tags/$ref?$id=http://service/Tags('t')
            ok 1
            ok 2
            rows Tags
              {Name:t}
              {Name:u}
            delta Orders
            delta Items
            merge
            rows Tags
            """#
        ),
        SeamScript(
            "an undone link to what nothing else leads",
            #"""
            query Orders Orders?$expand=Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"}]} {"ID":2,"Tags":[]}
            merge
            POST Orders(2)/Tags/$ref {"@odata.id":"Tags('t')"}
            delta Orders {"ID":1,"Tags":[]}
            merge
            rows Tags
              {Name:t}
            drop 1
            delta Orders
            merge
            rows Tags
            """#
        ),
        SeamScript(
            "a read that was cut removes nothing",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2}
            merge
            partial Orders {"ID":1,"Title":"x"}
            merge
            rows Orders
              {ID:1 Title:x}
              {ID:2}
            """#
        ),
        SeamScript(
            "three entries of one entity in a delta",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            delta Orders {"ID":1,"Title":"b"} {"ID":1,"Price":2} {"ID":1,"Title":"c"} {"ID":1,"@odata.etag":"5"}
            merge
            rows Orders
              {etag:5 ID:1 Title:c Price:2}
            full Orders {"ID":1,"Title":"old"} {"ID":1,"Title":"new"} {"ID":3,"Title":"old"} {"ID":3,"Title":"new"}
            merge
            rows Orders
              {ID:1 Title:new}
              {ID:3 Title:new}
            """#
        ),
        SeamScript(
            "an entity that left every filter",
            #"""
            query Cheap Orders?$filter=Price%20lt%205
            query Orders Orders?$filter=Title%20eq%20'a'
            full Cheap {"ID":1,"Price":3,"Title":"a"} {"ID":2,"Price":3}
            full Orders {"ID":1,"Price":3,"Title":"a"}
            merge
            PATCH Orders(2) {"Title":"mine"}
            full Cheap
            full Orders {"ID":1,"Price":3,"Title":"a"}
            merge
            rows Orders
              {ID:1 Title:a Price:3}
              {isLocal hasPendingChanges hasConflict ID:2 Title:mine Price:3}
            delta Orders {"@removed":{"reason":"changed"},"@odata.id":"Orders(1)"}
            merge
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:2 Title:mine Price:3}
            drop 1
            rows Orders
            """#
        ),
        SeamScript(
            "an entity deleted here that leaves its query",
            #"""
            query Orders Orders
            query Cheap Orders?$filter=Price%20lt%205
            full Orders {"ID":1,"Price":3} {"ID":2,"Price":3}
            full Cheap {"ID":1,"Price":3} {"ID":2,"Price":3}
            merge
            DELETE Orders(1)
            DELETE Orders(2)
            full Orders {"ID":2,"Price":3}
            full Cheap
            merge
            rows Orders
            drop 1
            drop 2
            rows Orders
              {ID:2 Price:3}
            full Orders {"ID":2,"Price":3}
            full Cheap
            merge
            rows Orders
              {ID:2 Price:3}
            """#
        ),
        SeamScript(
            "tombstones of entities deleted or created here",
            #"""
            query Tags Tags
            full Tags {"Name":"t"}
            merge
            DELETE Tags('t')
            POST Tags {"Name":"u"}
              -> Tags('u')
            delta Tags {"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"} {"@removed":{"reason":"deleted"},"@odata.id":"Tags('u')"}
            merge
            rows Tags
              {isLocal hasPendingChanges Name:u}
            drop 1
            rows Tags
              {isLocal hasPendingChanges Name:u}
            queue
              2 pending POST Tags {"Name":"u"}
            """#
        ),
        SeamScript(
            "a single link replaced here, changed there and sent",
            #"""
            query Orders Orders?$expand=Main
            query Tags Tags
            full Orders {"ID":1,"Main":{"Name":"t"}}
            full Tags {"Name":"t"} {"Name":"u"} {"Name":"v"}
            merge
            PUT Orders(1)/Main/$ref {"@odata.id":"Tags('u')"}
            full Orders {"ID":1,"Main":{"Name":"v"}}
            merge
            full Orders {"ID":1,"Main":{"Name":"t"}}
            merge
            rows Orders(1)/Main
              {Name:u}
            send
              1 PUT Orders(1)/Main/$ref {"@odata.id":"http://service/Tags('u')"}
            ok 1
            rows Orders(1)/Main
              {Name:u}
            full Orders {"ID":1,"Main":{"Name":"u"}}
            merge
            rows Orders(1)/Main
              {Name:u}
            PUT Orders(1)/Main/$ref {"@odata.id":"Tags('t')"}
            drop 2
            rows Orders(1)/Main
              {Name:u}
            """#
        ),
        SeamScript(
            "an entity has one parent, whichever side tells it",
            #"""
            query Cards Cards?$expand=Notes
            query Notes Notes
            full Cards {"Name":"a","Notes":[{"Day":1,"No":1}]} {"Name":"b"} {"Name":"c"}
            full Notes {"Day":1,"No":1}
            merge
            PUT Notes(Day=1,No=1)/Card/$ref {"@odata.id":"Cards('b')"}
            full Cards {"Name":"a","Notes":[]} {"Name":"b","Notes":[]} {"Name":"c","Notes":[{"Day":1,"No":1}]}
            merge
            rows Notes(Day=1,No=1)/Card
              {Name:b}
            rows Cards('c')/Notes
            drop 1
            rows Notes(Day=1,No=1)/Card
              {Name:c}
            """#
        ),
        SeamScript(
            "a filter on the way from an entity says nothing of the rest",
            #"""
            query Cards Cards?$expand=Notes
            query Some Cards('a')/Notes?$filter=No%20gt%201
            full Cards {"Name":"a","Notes":[{"Day":1,"No":1},{"Day":1,"No":2}]}
            full Some {"Day":1,"No":2}
            merge
            rows Cards('a')/Notes
              {Day:1 No:1}
              {Day:1 No:2}
            full Some {"Day":1,"No":2}
            merge
            rows Cards('a')/Notes
              {Day:1 No:1}
              {Day:1 No:2}
            """#
        ),
        SeamScript(
            "a reference behind a key that is not known means no entity",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"t"}
            merge
            PATCH Orders(1) {"Main@odata.bind":"Orders(9)/Main"}
              404 'the entity that the request refers to is not in the store'
            POST Orders(1)/Tags/$ref {"@odata.id":"Orders(9)/Main"}
              404 'the entity that the request refers to is not in the store'
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('x')"}
            queue
              1 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('x')"}
            """#
        ),
        SeamScript(
            "changes of what a path leads to say nothing of the rest",
            #"""
            query Orders Orders
            query Mine Orders(1)/Tags
            full Orders {"ID":1}
            full Mine {"Name":"a"} {"Name":"b"}
            merge
            delta Mine {"Name":"c"}
            merge
            rows Orders(1)/Tags
              {Name:a}
              {Name:b}
              {Name:c}
            """#
        ),
    ]
}
