extension SeamScript {
    /// Staging and merge.
    static let downloads = [
        SeamScript(
            "a tombstone removes the row and its links",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Title":"a","Tags":[{"Name":"t"}]} {"ID":2,"Title":"b"}
            full Tags {"Name":"t"}
            merge
            rows Orders(1)/Tags
              {Name:t}
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"}
            merge
            rows Orders
              {ID:2 Title:b}
            rows Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a tombstone with reason changed leaves what another query holds",
            #"""
            query Orders Orders
            query Cheap Orders?$filter=Price%20lt%205
            full Orders {"ID":1,"Price":3} {"ID":2,"Price":4}
            full Cheap {"ID":1,"Price":3} {"ID":2,"Price":4}
            merge
            delta Cheap {"@removed":{"reason":"changed"},"@odata.id":"Orders(1)"}
            merge
            rows Orders
              {ID:1 Price:3}
              {ID:2 Price:4}
            delta Orders {"@removed":{"reason":"changed"},"@odata.id":"Orders(1)"}
            merge
            rows Orders
              {ID:2 Price:4}
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(2)"}
            merge
            rows Orders
            """#
        ),
        SeamScript(
            "a full read removes what is not there any more",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            merge
            full Orders {"ID":2,"Title":"c"} {"ID":3,"Title":"d"}
            merge
              remark: 1 of 3 entities were removed, since the service did not send them any more
            rows Orders
              {ID:2 Title:c}
              {ID:3 Title:d}
            """#
        ),
        SeamScript(
            "a member that a delta leaves out keeps its value",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            delta Orders {"@odata.etag":"2","ID":1,"Price":2}
            merge
            rows Orders
              {etag:2 ID:1 Title:a Price:2}
            """#
        ),
        SeamScript(
            "a tombstone and the entity again in one delta keep the entity",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"} {"ID":1,"Title":"b"}
            merge
            rows Orders
              {ID:1 Title:b}
            """#
        ),
        SeamScript(
            "an entity and then its tombstone in one delta remove it",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            delta Orders {"ID":1,"Title":"b"} {"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"}
            merge
            rows Orders
            """#
        ),
        SeamScript(
            "a pending update stays over the newer server version, in conflict",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":2}
            merge
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:mine Price:1}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            fail 1 412
            server Orders(1)
            rows Orders
              {etag:2 ID:1 Title:theirs Price:2}
            queue
            events
              Conflict: the service's version stays; taken back: PATCH Orders(1) {"Title":"mine"}
            """#
        ),
        SeamScript(
            "letting the local side win sends it with the new ETag",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":2}
            merge
            local Orders(1)
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:mine Price:2}
            queue
              1 pending PATCH Orders(1) {"Title":"mine"}
            send
              1 PATCH Orders(1) If-Match: 2 {"Title":"mine"}
            ok 1 etag=3
            rows Orders
              {etag:3 isLocal ID:1 Title:mine Price:2}
            """#
        ),
        SeamScript(
            "a pending update survives a tombstone",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"mine"}
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"}
            merge
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:1 Title:mine}
            queue
              1 pending PATCH Orders(1) {"Title":"mine"}
            server Orders(1)
            rows Orders
            queue
            """#
        ),
        SeamScript(
            "a row deleted here stays deleted when a download brings it",
            #"""
            query Orders Orders
            query Cheap Orders?$filter=Price%20lt%205
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            DELETE Orders(1)
            full Orders {"ID":1,"Title":"b","Price":1}
            full Cheap {"ID":1,"Title":"b","Price":1}
            merge
            rows Orders
            drop 1
            rows Orders
              {ID:1 Title:b Price:1}
            full Orders
            full Cheap {"ID":1,"Title":"b","Price":1}
            merge
            rows Orders
              {ID:1 Title:b Price:1}
            full Cheap
            merge
              remark: 1 of 1 entities were removed, since the service did not send them any more
            rows Orders
            """#
        ),
        SeamScript(
            "created rows that were not sent are never removed",
            #"""
            query Orders Orders
            full Orders {"ID":1}
            merge
            POST Orders {"Title":"new"}
              -> Orders(A)
            full Orders
            merge
              remark: 1 of 1 entities were removed, since the service did not send them any more
            rows Orders
              {isLocal hasPendingChanges Title:new}
            queue
              1 pending POST Orders {"Title":"new"}
            """#
        ),
        SeamScript(
            "a creation that comes down under its key is one row",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            rows Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:r}
            queue
              1 pending POST Tags {"Name":"t","Color":"r"}
            local Tags('t')
            queue
              1 pending PATCH Tags('t') {"Color":"r"}
            send
              1 PATCH Tags('t') If-Match: 9 {"Color":"r"}
            """#
        ),
        SeamScript(
            "links that a full read does not bring go",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            full Orders {"ID":1,"Tags":[{"Name":"u"}]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            rows Orders(1)/Tags
              {Name:u}
            full Orders {"ID":1,"Tags":[]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            rows Orders(1)/Tags
            rows Tags
              {Name:t}
              {Name:u}
            """#
        ),
        SeamScript(
            "a local link stays over a full read that does not know it",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('u')"}
            DELETE Orders(1)/Tags/$ref?$id=http://service/Tags('t')
            rows Orders(1)/Tags
              {Name:u}
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            rows Orders(1)/Tags
              {Name:u}
            queue
              1 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('u')"}
              2 pending DELETE Orders(1)/Tags/$ref?$id=Tags('t') after [1]
            undo Orders(1)
            rows Orders(1)/Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "an orphaned expanded entity goes with its last link",
            #"""
            query Orders Orders?$expand=Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}]} {"ID":2,"Tags":[{"Name":"u"}]}
            merge
            rows Tags
              {Name:t}
              {Name:u}
            full Orders {"ID":1,"Tags":[]} {"ID":2,"Tags":[{"Name":"u"}]}
            merge
            rows Tags
              {Name:u}
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(2)"}
            merge
            rows Tags
            """#
        ),
        SeamScript(
            "delta links are added and removed",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)","relationship":"Tags","target":"Tags('u')"} {"@odata.context":"http://service/$metadata#Orders/$deletedLink","source":"Orders(1)","relationship":"Tags","target":"Tags('t')"}
            merge
            rows Orders(1)/Tags
              {Name:u}
            """#
        ),
        SeamScript(
            "an uploaded creation that no query brings is removed by the next complete download",
            #"""
            query Cheap Orders?$filter=Price%20lt%205
            full Cheap {"ID":1,"Price":3}
            merge
            POST Orders {"Title":"dear","Price":9}
              -> Orders(A)
            send
              1 POST Orders {"Title":"dear","Price":9}
            ok 1 {"ID":2,"Title":"dear","Price":9}
            rows Orders
              {ID:1 Price:3}
              {isLocal ID:2 Title:dear Price:9}
            full Cheap {"ID":1,"Price":3}
            merge
            rows Orders
              {ID:1 Price:3}
            """#
        ),
        SeamScript(
            "a newer version after an upload replaces what was sent",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            ok 1 etag=2
            full Orders {"@odata.etag":"3","ID":1,"Title":"c"}
            merge
            rows Orders
              {etag:3 ID:1 Title:c}
            queue
            """#
        ),
        SeamScript(
            "equal versions on both sides leave no conflict",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            rows Orders
              {etag:1 isLocal hasPendingChanges ID:1 Title:b Price:1}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            """#
        ),
        SeamScript(
            "undo after a download shows the newer version of the service",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":2}
            merge
            undo Orders(1)
            rows Orders
              {etag:2 ID:1 Title:theirs Price:2}
            queue
            """#
        ),
        SeamScript(
            "a query that is removed takes along what no other query holds",
            #"""
            query Orders Orders
            query Cheap Orders?$filter=Price%20lt%205
            full Orders {"ID":1,"Price":9} {"ID":2,"Price":3}
            full Cheap {"ID":2,"Price":3}
            merge
            unquery Orders
            rows Orders
              {ID:2 Price:3}
            """#
        ),
        SeamScript(
            "a row that waiting requests name stays when it leaves its query",
            #"""
            query Orders Orders?$filter=ID lt 9
            query Items Items
            full Orders {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            full Items
            merge
            POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
              -> Items(A)
            full Orders
            full Items
            merge
              remark: 1 of 2 entities were removed, since the service did not send them any more
            rows Orders
              {ID:1 Title:a}
            send
              1 POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
            ok 1 {"ID":10,"Text":"x","OrderID":1}
            full Orders
            full Items {"ID":10,"Text":"x","OrderID":1}
            merge
            rows Orders
            rows Items
              {ID:10 Text:x OrderID:1}
            """#
        ),
        SeamScript(
            "a row that waiting requests name goes when the service has it no more",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            full Items
            merge
            POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
              -> Items(A)
            full Orders
            full Items
            merge
              remark: 2 of 2 entities were removed, since the service did not send them any more
            rows Orders
            send
              1 POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
            ok 1 {"ID":10,"Text":"x","OrderID":1}
            full Orders
            full Items {"ID":10,"Text":"x","OrderID":1}
            merge
            rows Orders
            rows Items
              {ID:10 Text:x OrderID:1}
            """#
        ),
        SeamScript(
            "a pending deletion of what the service has deleted too is no conflict",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"} {"@odata.etag":"1","ID":2,"Title":"b"}
            merge
            DELETE Orders(1)
            DELETE Orders(2)
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"} {"@removed":{"reason":"deleted"},"@odata.id":"Orders(2)"}
            merge
            rows Orders
            queue
              1 pending DELETE Orders(1)
              2 pending DELETE Orders(2)
            drop 2
            rows Orders
            send
              1 DELETE Orders(1) If-Match: 1
            ok 1
            rows Orders
            queue
            """#
        ),
        SeamScript(
            "what a path leads to may come from the set of its base type",
            #"""
            query Tags Tags
            query Long Tags('a')/Memos/S.LongMemo
            full Tags {"Name":"a"}
            merge
            one Long {"@odata.context":"http://service/$metadata#Memos","value":[{"@odata.type":"#S.LongMemo","ID":1,"Text":"m","TagName":"a"}]}
            merge
            rows Memos
              {ID:1 Text:m TagName:a}
            one Long {"@odata.context":"http://service/$metadata#Cards","value":[{"@odata.type":"#S.LongMemo","ID":2,"Text":"m"}]}
            merge
              error: the service sent entities of Cards where others were asked for
            """#
        ),
        SeamScript(
            "a query that was removed brings nothing",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"t"}
            merge
            unquery Orders
            tasks
              Tags delta
            rows Orders
            rows Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a query without a name is refused",
            #"""
            query  Orders
              error: a defining query needs a name
            tasks
            """#
        ),
        SeamScript(
            "entities of another set of the same type are not those that were asked for",
            #"""
            query Photos Photos
            one Photos {"@odata.context":"http://service/$metadata#Stamps","value":[{"ID":1}]}
            merge
              error: the service sent entities of Stamps where others were asked for
            rows Photos
            """#
        ),
        SeamScript(
            "what a property leads to is named by the answer",
            #"""
            query Orders Orders
            query Two Orders(1)/Main
            full Orders {"ID":1}
            one Two {"Color":"x"}
            merge
              error: expected an entity with its key (Name) or its id (line 1, column 1, byte 0)
            rows Tags
            """#
        ),
    ]
}
