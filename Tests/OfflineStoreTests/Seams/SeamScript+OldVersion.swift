extension SeamScript {
    /// A service of version 2.
    static let oldVersions = [
        SeamScript(
            "changes in the form of version 2",
            isOld: true,
            #"""
            query Orders Orders
            query Items Items
            query Tags Tags
            full Orders {"__metadata":{"uri":"http://service/Orders(1)","etag":"1"},"ID":1,"Title":"a","At":"/Date(0)/","Sent":"/Date(0+0060)/","Price":"1.50"} {"ID":2}
            full Tags {"Name":"t"} {"Name":"u"}
            full Items {"ID":10,"Text":"i"}
            merge
            rows Orders
              {etag:1 ID:1 Title:a At:/Date(0)/ Sent:/Date(0+0060)/ Price:1.50}
              {ID:2}
            PATCH Orders(1) {"At":"/Date(1000)/","Sent":"/Date(2000+0000)/","Price":"2.50"}
            PUT Orders(2) {"Title":"p"}
            POST Items {"Text":"x","Order":{"__metadata":{"uri":"Orders(1)"}}}
              -> Items(A)
            POST Orders(1)/$links/Tags {"uri":"Tags('t')"}
            PUT Orders(1)/$links/Main {"uri":"Tags('u')"}
            queue
              1 pending PATCH Orders(1) {"At":"1970-01-01T00:00:01Z","Sent":"1970-01-01T00:00:02Z","Price":2.50}
              2 pending PUT Orders(2) {"Title":"p"}
              3 pending POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
              4 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"} after [1]
              5 pending PUT Orders(1)/Main/$ref {"@odata.id":"Tags('u')"} after [4]
            send
              1 MERGE Orders(1) If-Match: 1 {"ID":1,"At":"/Date(1000)/","Sent":"/Date(2000+0000)/","Price":"2.50"}
              2 PUT Orders(2) stale {"ID":2,"Title":"p"}
              3 POST Items {"__metadata":{"type":"S.Item"},"Text":"x","Order":{"__metadata":{"uri":"http://service/Orders(1)"}}}
            ok 1 etag=2
            ok 2
            ok 3 {"d":{"ID":70,"Text":"x","OrderID":1}}
            send
              4 POST Orders(1)/$links/Tags {"uri":"http://service/Tags('t')"}
            ok 4
            send
              5 PUT Orders(1)/$links/Main {"uri":"http://service/Tags('u')"}
            ok 5
            DELETE Orders(1)/$links/Tags('t')
            DELETE Orders(1)/$links/Main
            send
              6 DELETE Orders(1)/$links/Tags('t')
            ok 6
            send
              7 DELETE Orders(1)/$links/Main
            ok 7
            rows Orders(1)/Items
              {isLocal ID:70 Text:x OrderID:1}
            rows Orders(1)/Tags
            DELETE Items(10)
            send
              8 DELETE Items(10) stale
            """#
        ),
        SeamScript(
            "a deep insert in version 2",
            isOld: true,
            #"""
            query Orders Orders
            query Items Items
            query Tags Tags
            full Tags {"Name":"t"}
            merge
            POST Orders {"Title":"a","Items":[{"Text":"x"},{"Text":"y"}],"Tags":[{"__metadata":{"uri":"Tags('t')"}}]}
              -> Orders(A)
            ids Items
              none
            PATCH Items(B) {"Text":"z"}
              404 {lang, value}
            send
              1 POST Orders {"__metadata":{"type":"S.Order"},"Title":"a","Items":[{"__metadata":{"type":"S.Item"},"Text":"x"},{"__metadata":{"type":"S.Item"},"Text":"y"}],"Tags":[{"__metadata":{"uri":"http://service/Tags('t')"}}]}
            ok 1 {"d":{"__metadata":{"uri":"http://service/Orders(4)","etag":"1"},"ID":4,"Title":"a","Items":{"results":[{"ID":20,"Text":"x"},{"ID":21,"Text":"y"}]}}}
            send
            rows Orders
              {etag:1 isLocal ID:4 Title:a}
            rows Items
              {isLocal ID:20 Text:x OrderID:4}
              {isLocal ID:21 Text:y OrderID:4}
            rows Orders(4)/Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "an update that links in version 2",
            isOld: true,
            #"""
            query Orders Orders?$expand=Tags
            query Items Items
            query Tags Tags
            full Orders {"ID":1,"Tags":{"results":[{"Name":"t"}]}} {"ID":2}
            full Tags {"Name":"t"} {"Name":"u"}
            full Items {"ID":10,"OrderID":1}
            merge
            PATCH Items(10) {"Order":{"__metadata":{"uri":"Orders(2)"}}}
            PATCH Orders(1) {"Title":"b","Tags":[{"__metadata":{"uri":"Tags('u')"}}]}
            queue
              1 pending PATCH Items(10) {"Order@odata.bind":"Orders(2)"}
              2 pending PATCH Orders(1) {"Title":"b"}
              3 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('u')"} after [2]
              4 pending DELETE Orders(1)/Tags/$ref?$id=Tags('t') after [3]
            rows Orders(1)/Tags
              {Name:u}
            rows Items
              {isLocal hasPendingChanges ID:10 OrderID:2}
            send
              1 MERGE Items(10) stale {"ID":10,"Order":{"__metadata":{"uri":"http://service/Orders(2)"}}}
              2 MERGE Orders(1) stale {"ID":1,"Title":"b"}
            PATCH Items(10) {"Order":null}
            queue
              1 sending PATCH Items(10) {"Order@odata.bind":"Orders(2)"}
              2 sending PATCH Orders(1) {"Title":"b"}
              3 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('u')"} after [2]
              4 pending DELETE Orders(1)/Tags/$ref?$id=Tags('t') after [3]
              5 pending DELETE Items(10)/Order/$ref after [1]
            """#
        ),
        SeamScript(
            "a conflict in version 2",
            isOld: true,
            #"""
            query Orders Orders
            full Orders {"__metadata":{"etag":"1"},"ID":1,"Title":"a","Price":"1"}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders {"__metadata":{"etag":"2"},"ID":1,"Title":"theirs","Price":"2"}
            merge
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:b Price:1}
            local Orders(1)
            send
              1 MERGE Orders(1) If-Match: 2 {"ID":1,"Title":"b"}
            ok 1
            PATCH Orders(1) {"Title":"c"}
            send
              2 MERGE Orders(1) stale {"ID":1,"Title":"c"}
            """#
        ),
        SeamScript(
            "a deletion in version 2",
            isOld: true,
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            merge
            DELETE Orders(1)
            send
              1 DELETE Orders(1) stale
            ok 1
            full Orders {"ID":2,"Title":"b"}
            merge
            rows Orders
              {ID:2 Title:b}
            POST Orders {"ID":9,"Title":"n"}
              -> Orders(9)
            PATCH Orders(9) {"Title":"m"}
            tx=t POST Orders {"Title":"q"}
              -> Orders(A)
            tx=t POST Items {"Text":"r","Order":{"__metadata":{"uri":"Orders(A)"}}}
              -> Items(B)
            send
              2 POST Orders {"__metadata":{"type":"S.Order"},"ID":9,"Title":"n"}
              set 2: 4 POST Orders {"__metadata":{"type":"S.Order"},"Title":"q"}
              set 2: 5 POST $2/Items {"__metadata":{"type":"S.Item"},"Text":"r"}
            ok 2 {"d":{"ID":8,"Title":"n"}}
            send
              3 MERGE Orders(8) {"ID":8,"Title":"m"}
            """#
        ),
        SeamScript(
            "complex values and derived types in version 2",
            isOld: true,
            #"""
            query Orders Orders
            query Tasks Tasks
            full Orders {"ID":1,"Title":"a","Place":{"City":"c","Since":"/Date(0)/"}} {"ID":2,"Place":null}
            full Tasks {"__metadata":{"type":"S.LongTask","etag":"1"},"ID":1,"Rev":1,"Text":"t","More":"m"}
            merge
            rows Orders
              {ID:1 Title:a Place:{City:c Since:/Date(0)/}}
              {ID:2}
            PATCH Orders(1) {"Place":{"City":"d"}}
            PUT Orders(2) {"Place":{"City":"e","Since":"/Date(1000)/"}}
            PATCH Orders(2) {"Place":null}
            PATCH Tasks(1) {"__metadata":{"type":"S.LongTask"},"More":"n"}
            PUT Tasks(1)/S.LongTask/$links/Order {"uri":"Orders(1)"}
            queue
              1 pending PATCH Orders(1) {"Place":{"City":"d"}}
              2 pending PUT Orders(2) {"Place":{"City":"e","Since":"1970-01-01T00:00:01Z"}}
              3 pending PATCH Orders(2) {"Place":null} after [2]
              4 pending PATCH Tasks(1) {"@odata.type":"#S.LongTask","More":"n"}
              5 pending PUT Tasks(1)/S.LongTask/Order/$ref {"@odata.id":"Orders(1)"} after [4]
            send
              1 MERGE Orders(1) stale {"ID":1,"Place":{"City":"d"}}
              2 PUT Orders(2) stale {"ID":2,"Place":{"City":"e","Since":"/Date(1000)/"}}
              4 MERGE Tasks(1) If-Match: 1 {"__metadata":{"uri":"http://service/Tasks(1)","type":"S.LongTask"},"ID":1,"More":"n"}
            ok 1
            ok 2
            ok 4 etag=2
            send
              3 MERGE Orders(2) stale {"ID":2,"Place":null}
              5 PUT Tasks(1)/$links/Order {"uri":"http://service/Orders(1)"}
            POST Tasks {"__metadata":{"type":"S.LongTask"},"ID":2,"Text":"u","More":"w","Order":{"__metadata":{"uri":"Orders(2)"}}}
              -> Tasks(2)
            POST Orders {"Title":"o","Main":null,"Items":[]}
              -> Orders(A)
            send
              6 POST Tasks {"__metadata":{"type":"S.LongTask"},"ID":2,"Text":"u","More":"w","Order":{"__metadata":{"uri":"http://service/Orders(2)"}}}
              7 POST Orders {"__metadata":{"type":"S.Order"},"Title":"o","Items":[],"Main":null}
            ok 6 {"d":{"ID":2}}
            PATCH Tasks(2) {"Text":"v"}
            send
              8 MERGE Tasks(2) stale {"__metadata":{"uri":"http://service/Tasks(2)","type":"S.Task"},"ID":2,"Text":"v"}
            rows Tasks
              {etag:2 isLocal hasPendingChanges ID:1 Rev:1 Text:t More:n}
              {isLocal hasPendingChanges ID:2 Text:v More:w}
            rows Tasks(2)/S.LongTask/Order
              {isLocal hasPendingChanges ID:2}
            """#
        ),
        SeamScript(
            "the ETag of a created entity is read where its type has a token of it",
            isOld: true,
            #"""
            query Tasks Tasks
            POST Tasks {"ID":1,"Text":"m"}
              -> Tasks(1)
            PATCH Tasks(1) {"Text":"n"}
            send
              1 POST Tasks {"__metadata":{"type":"S.Task"},"ID":1,"Text":"m"}
            ok 1 {"d":{"ID":1}}
            send
              2 MERGE Tasks(1) stale {"__metadata":{"uri":"http://service/Tasks(1)","type":"S.Task"},"ID":1,"Text":"n"}
            ok 2
            rows Tasks
              {isLocal ID:1 Text:n}
            """#
        ),
        SeamScript(
            "references in change sets of version 2",
            isOld: true,
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":{"results":[{"Name":"t"}]}}
            full Tags {"Name":"t"} {"Name":"it's"}
            merge
            POST Orders(1)/$links/Tags {"uri":"Tags('it''s')"}
            DELETE Orders(1)/$links/Tags('it''s')
            send
              1 POST Orders(1)/$links/Tags {"uri":"http://service/Tags('it''s')"}
            ok 1
            send
              2 DELETE Orders(1)/$links/Tags('it''s')
            POST Tags {"Name":"new"}
              -> Tags('new')
            POST Orders(1)/$links/Tags {"uri":"Tags('new')"}
            tx=t POST Orders {"ID":9}
              -> Orders(9)
            tx=t POST Items {"ID":9,"Order":{"__metadata":{"uri":"Orders(9)"}}}
              -> Items(9)
            tx=t POST Orders(9)/$links/Tags {"uri":"Tags('t')"}
            send
              3 POST Tags {"__metadata":{"type":"S.Tag"},"Name":"new"}
              set 2: 5 POST Orders {"__metadata":{"type":"S.Order"},"ID":9}
              set 2: 6 POST $2/Items {"__metadata":{"type":"S.Item"},"ID":9}
              set 2: 7 POST $2/$links/Tags {"uri":"http://service/Tags('t')"}
            """#
        ),
        SeamScript(
            "references beside a replacement are requests of their own in version 2",
            isOld: true,
            #"""
            query Orders Orders?$expand=Main
            query Tags Tags
            query Items Items
            full Orders {"ID":1,"Title":"a","Main":null}
            full Tags {"Name":"t"}
            full Items {"ID":5,"Text":"x","OrderID":null}
            merge
            PUT Orders(1) {"ID":1,"Title":"b","Main":{"__metadata":{"uri":"Tags('t')"}}}
            PUT Items(5) {"ID":5,"Text":"y","Order":{"__metadata":{"uri":"Orders(1)"}}}
            rows Orders(1)/Main
              {Name:t}
            rows Items
              {isLocal hasPendingChanges ID:5 Text:y OrderID:1}
            queue
              1 pending PUT Orders(1) {"ID":1,"Title":"b"}
              2 pending PUT Orders(1)/Main/$ref {"@odata.id":"Tags('t')"} after [1]
              3 pending PUT Items(5) {"ID":5,"Text":"y"}
              4 pending PUT Items(5)/Order/$ref {"@odata.id":"Orders(1)"} after [3]
            """#
        ),
        SeamScript(
            "a link to what its change set creates, in version 2",
            isOld: true,
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":{"results":[]}}
            merge
            tx=t POST Tags {"Name":"new"}
              -> Tags('new')
            tx=t POST Orders(1)/$links/Tags {"uri":"Tags('new')"}
            send
              set 1: 1 POST Tags {"__metadata":{"type":"S.Tag"},"Name":"new"}
              set 1: 2 POST Orders(1)/$links/Tags {"uri":"$1"}
            """#
        ),
        SeamScript(
            "a link that goes on behind a key is none of the convention",
            isOld: true,
            #"""
            query Orders Orders
            full Orders {"__metadata":{"uri":"http://service/Orders(1)x","type":"S.Order"},"ID":1} {"__metadata":{"uri":"http://service/Orders(2)","type":"S.Order"},"ID":2}
            merge
            PATCH Orders(1) {"Title":"a"}
            PATCH Orders(2) {"Title":"a"}
            send
              1 MERGE Orders(1)x stale {"ID":1,"Title":"a"}
              2 MERGE Orders(2) stale {"ID":2,"Title":"a"}
            """#
        ),
    ]
}
