extension SeamScript {
    /// Keys that the service chose, and what names them.
    static let keys = [
        SeamScript(
            "the key that the service chose is named by what waits",
            #"""
            query Orders Orders
            query Items Items
            full Items {"ID":10,"Text":"i"}
            merge
            POST Orders {"ID":1,"Title":"a"}
              -> Orders(1)
            PATCH Items(10) {"OrderID":1}
            PATCH Items(10) {"Text":"x"}
            POST Items {"Text":"n","OrderID":1}
              -> Items(A)
            send
              1 POST Orders {"ID":1,"Title":"a"}
            ok 1 {"ID":7,"Title":"a"}
            queue
              2 pending PATCH Items(10) {"OrderID":7}
              3 pending PATCH Items(10) {"Text":"x"} after [2]
              4 pending POST Items {"Text":"n","OrderID":7}
            rows Items
              {isLocal hasPendingChanges ID:10 Text:x OrderID:7}
              {isLocal hasPendingChanges Text:n OrderID:7}
            drop 3
            rows Items
              {isLocal hasPendingChanges ID:10 Text:i OrderID:7}
              {isLocal hasPendingChanges Text:n OrderID:7}
            rows Orders(7)/Items
              {isLocal hasPendingChanges ID:10 Text:i OrderID:7}
              {isLocal hasPendingChanges Text:n OrderID:7}
            """#
        ),
        SeamScript(
            "headers name entities by the key that the service chose",
            #"""
            query Orders Orders
            full Orders {"ID":2}
            merge
            POST Orders {"ID":1,"Title":"a"}
              -> Orders(1)
            template=X-Of:{Orders(1)/ID} PATCH Orders(2) {"Title":"c"}
            template=X-Title:{Title} PATCH Orders(2) {"Price":1}
            POST Orders {"Title":"n"}
              -> Orders(A)
            template=X-Of:{Orders(A)/ID} PATCH Orders(2) {"Title":"d"}
            queue
              1 pending POST Orders {"ID":1,"Title":"a"}
              2 pending PATCH Orders(2) {"Title":"c"} after [1] [ X-Of: {Orders(1)/ID}]
              3 pending PATCH Orders(2) {"Price":1} after [2] [ X-Title: {Title}]
              4 pending POST Orders {"Title":"n"}
              5 pending PATCH Orders(2) {"Title":"d"} after [3, 4] [ X-Of: {Orders(A)/ID}]
            send
              1 POST Orders {"ID":1,"Title":"a"}
              4 POST Orders {"Title":"n"}
            ok 1 {"ID":7}
            queue
              2 pending PATCH Orders(2) {"Title":"c"} [ X-Of: {Orders(7)/ID}]
              3 pending PATCH Orders(2) {"Price":1} after [2] [ X-Title: {Title}]
              4 sending POST Orders {"Title":"n"}
              5 pending PATCH Orders(2) {"Title":"d"} after [3, 4] [ X-Of: {Orders(A)/ID}]
            send
              2 PATCH Orders(2) If-Match: * stale {"Title":"c"} X-Of: 7
            ok 2
            send
              3 PATCH Orders(2) If-Match: * stale {"Price":1} X-Title: d
            ok 3
            ok 4 {"ID":8}
            send
              5 PATCH Orders(2) If-Match: * stale {"Title":"d"} X-Of: 8
            """#
        ),
        SeamScript(
            "entities contained on two levels follow the key of their owner",
            #"""
            query Cards Cards
            POST Cards {"Name":"c"}
              -> Cards('c')
            POST Cards('c')/Lines {"No":1}
              -> Cards('c')/Lines(1)
            POST Cards('c')/Lines(1)/Parts {"No":2,"Text":"p"}
              -> Cards('c')/Lines(1)/Parts(2)
            PATCH Cards('c')/Lines(1)/Parts(2) {"Text":"q"}
            queue
              1 pending POST Cards {"Name":"c"}
              2 pending POST Cards('c')/Lines {"No":1} after [1]
              3 pending POST Cards('c')/Lines(1)/Parts {"No":2,"Text":"p"} after [2]
              4 pending PATCH Cards('c')/Lines(1)/Parts(2) {"Text":"q"} after [3]
            send
              1 POST Cards {"Name":"c"}
            ok 1 {"Name":"d"}
            queue
              2 pending POST Cards('d')/Lines {"No":1}
              3 pending POST Cards('d')/Lines(1)/Parts {"No":2,"Text":"p"} after [2]
              4 pending PATCH Cards('d')/Lines(1)/Parts(2) {"Text":"q"} after [3]
            send
              2 POST Cards('d')/Lines {"No":1}
            ok 2 {"No":5}
            queue
              3 pending POST Cards('d')/Lines(5)/Parts {"No":2,"Text":"p"}
              4 pending PATCH Cards('d')/Lines(5)/Parts(2) {"Text":"q"} after [3]
            send
              3 POST Cards('d')/Lines(5)/Parts {"No":2,"Text":"p"}
            ok 3 {"No":2}
            send
              4 PATCH Cards('d')/Lines(5)/Parts(2) If-Match: * {"Text":"q"}
            rows Cards('d')/Lines(5)/Parts
              {isLocal hasPendingChanges No:2 Text:q}
            """#
        ),
        SeamScript(
            "two creations alike stay open while only one comes",
            #"""
            query Orders Orders
            full Orders
            merge
            POST Orders {"Title":"a"}
              -> Orders(A)
            POST Orders {"Title":"a"}
              -> Orders(B)
            send
              1 POST Orders {"Title":"a"}
              2 POST Orders {"Title":"a"}
            ok 1
            ok 2
            PATCH Orders(A) {"Price":1}
            send
            queue
              3 parked PATCH Orders(A) {"Price":1} answered 0
            full Orders {"ID":5,"Title":"a"}
            merge
            rows Orders
              {ID:5 Title:a}
              {isLocal hasPendingChanges Title:a Price:1}
            queue
              3 parked PATCH Orders(A) {"Price":1} answered 0
            full Orders {"ID":5,"Title":"a"} {"ID":6,"Title":"a"}
            merge
            rows Orders
              {ID:5 Title:a}
              {isLocal hasPendingChanges ID:6 Title:a Price:1}
            send
              3 PATCH Orders(6) If-Match: * stale {"Price":1}
            """#
        ),
        SeamScript(
            "a key is told by an id or an edit link",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            PATCH Orders(A) {"Price":1}
            POST Orders {"Title":"b"}
              -> Orders(B)
            PATCH Orders(B) {"Price":2}
            POST Orders {"Title":"c"}
              -> Orders(C)
            PATCH Orders(C) {"Price":3}
            POST Orders {"Title":"d"}
              -> Orders(D)
            PATCH Orders(D) {"Price":4}
            send
              1 POST Orders {"Title":"a"}
              3 POST Orders {"Title":"b"}
              5 POST Orders {"Title":"c"}
              7 POST Orders {"Title":"d"}
            ok 1 {"@odata.editLink":"Orders(9)"}
            ok 3 {"@odata.readLink":"Orders(10)"}
            ok 5 {"@odata.id":"http://service/Orders(11)"}
            ok 7 id=http://elsewhere/x/Orders(12)
            send
              2 PATCH Orders(9) If-Match: * {"Price":1}
              4 PATCH Orders(10) If-Match: * {"Price":2}
              6 PATCH Orders(11) If-Match: * {"Price":3}
              8 PATCH Orders(12) If-Match: * {"Price":4}
            """#
        ),
        SeamScript(
            "two keys of one entity are given by the service",
            #"""
            query Notes Notes
            POST Notes {"Text":"n"}
              -> Notes(A)
            POST Notes {"Day":3,"Text":"m"}
              -> Notes(B)
            rows Notes
              {isLocal hasPendingChanges Day:3 Text:m}
              {isLocal hasPendingChanges Text:n}
            queue
              1 pending POST Notes {"Text":"n"}
              2 pending POST Notes {"Day":3,"Text":"m"}
            PATCH Notes(A) {"Text":"x"}
            send
              1 POST Notes {"Text":"n"}
              2 POST Notes {"Day":3,"Text":"m"}
            ok 1 {"Day":1,"No":2,"Text":"n"}
            ok 2 {"Day":3,"No":4,"Text":"m"}
            rows Notes
              {isLocal hasPendingChanges Day:1 No:2 Text:x}
              {isLocal Day:3 No:4 Text:m}
            send
              3 PATCH Notes(Day=1,No=2) If-Match: * {"Text":"x"}
            """#
        ),
        SeamScript(
            "children of a deep insert wait for it",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a","Items":[{"Text":"x"},{"Text":"y"}]}
              -> Orders(A)
            ids Items
              Items(B)
              Items(C)
            PATCH Items(B) {"Text":"z"}
            PATCH Items(C) {"Text":"w"}
            queue
              1 pending POST Orders {"Title":"a","Items":[{"Text":"x"},{"Text":"y"}]}
              2 pending PATCH Items(B) {"Text":"z"} after [1]
              3 pending PATCH Items(C) {"Text":"w"} after [1]
            send
              1 POST Orders {"Title":"a","Items":[{"Text":"x"},{"Text":"y"}]}
            ok 1 {"ID":1,"Title":"a","Items":[{"ID":20,"Text":"x"},{"ID":21,"Text":"y"}]}
            send
              2 PATCH Items(20) If-Match: * {"Text":"z"}
              3 PATCH Items(21) If-Match: * {"Text":"w"}
            rows Items
              {isLocal hasPendingChanges ID:20 Text:z OrderID:1}
              {isLocal hasPendingChanges ID:21 Text:w OrderID:1}
            """#
        ),
        SeamScript(
            "children of a deep insert are taken back with it",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a","Items":[{"Text":"x"}]}
              -> Orders(A)
            ids Items
              Items(B)
            PATCH Items(B) {"Text":"z"}
            drop 1
            queue
            rows Items
            rows Orders
            """#
        ),
        SeamScript(
            "a deep insert under other keys",
            #"""
            query Cards Cards
            POST Cards {"Name":"c","Lines":[{"No":1,"Text":"x","Parts":[{"No":3}]},{"No":2,"Text":"y"}]}
              -> Cards('c')
            PATCH Cards('c')/Lines(1) {"Text":"z"}
            PATCH Cards('c')/Lines(1)/Parts(3) {"Text":"p"}
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"x","Parts":[{"No":3}]},{"No":2,"Text":"y"}]}
            ok 1 {"Name":"d","Lines":[{"No":8,"Text":"y"},{"No":9,"Text":"x","Parts":[{"No":7}]}]}
            queue
              2 pending PATCH Cards('d')/Lines(9) {"Text":"z"}
              3 pending PATCH Cards('d')/Lines(9)/Parts(7) {"Text":"p"}
            rows Cards('d')/Lines
              {isLocal No:8 Text:y}
              {isLocal hasPendingChanges No:9 Text:z}
            send
              2 PATCH Cards('d')/Lines(9) If-Match: * {"Text":"z"}
              3 PATCH Cards('d')/Lines(9)/Parts(7) If-Match: * {"Text":"p"}
            """#
        ),
        SeamScript(
            "a twin that came before its key",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            query Items Items
            full Tags {"Name":"t"} {"Name":"u"}
            full Orders
            merge
            POST Orders {"Title":"a","Tags@odata.bind":["Tags('u')"]}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a","Tags@odata.bind":["Tags('u')"]}
            full Orders {"ID":7,"Title":"a","Tags":[{"Name":"u"},{"Name":"t"}]}
            merge
            rows Orders
              {ID:7 Title:a}
              {isLocal hasPendingChanges Title:a}
            POST Items {"Text":"x","Order@odata.bind":"Orders(7)"}
              -> Items(B)
            PATCH Orders(7) {"Price":3}
            ok 1 {"ID":7,"Title":"a"}
            rows Orders
              {isLocal hasPendingChanges ID:7 Title:a Price:3}
            rows Orders(7)/Tags
              {Name:t}
              {Name:u}
            queue
              2 pending POST Items {"Text":"x","Order@odata.bind":"Orders(7)"}
              3 pending PATCH Orders(7) {"Price":3}
            rows Orders(7)/Items
              {isLocal hasPendingChanges Text:x OrderID:7}
            drop 3
            rows Orders
              {isLocal ID:7 Title:a}
            """#
        ),
        SeamScript(
            "an untold owner holds back what is inside of it",
            #"""
            query Cards Cards
            POST Cards {"Name":"c"}
              -> Cards('c')
            POST Cards('c')/Lines {"No":1}
              -> Cards('c')/Lines(1)
            send
              1 POST Cards {"Name":"c"}
            ok 1
            send
            queue
              2 parked POST Cards('c')/Lines {"No":1} answered 0
            full Cards {"Name":"c"}
            merge
            queue
              2 parked POST Cards(A)/Lines {"No":1} answered 0
            send
            """#
        ),
        SeamScript(
            "an entity without values to compare is not taken for the created one",
            #"""
            query Orders Orders
            full Orders
            merge
            POST Orders {}
              -> Orders(A)
            send
              1 POST Orders {}
            ok 1
            PATCH Orders(A) {"Title":"b"}
            send
            full Orders {"ID":4,"Title":"x"}
            merge
            rows Orders
              {ID:4 Title:x}
              {isLocal hasPendingChanges Title:b}
            queue
              2 parked PATCH Orders(A) {"Title":"b"} answered 0
            identify Orders(A) Orders(5)
            send
              2 PATCH Orders(5) If-Match: * {"Title":"b"}
            """#
        ),
        SeamScript(
            "what is deleted here and named is not gone for having been missing by its old name",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[]}
            merge
            POST Cards('a')/Lines {"Text":"x"}
              -> Cards('a')/Lines(A)
            send
              1 POST Cards('a')/Lines {"Text":"x"}
            ok 1
            DELETE Cards('a')/Lines(A)
            send
            delta Cards {"Name":"a","Lines":[{"No":1,"Text":"X"},{"No":2,"Text":"Y"}]}
            merge
            conflicts
            identify Cards('a')/Lines(A) Cards('a')/Lines(1)
            conflicts
            send
              2 DELETE Cards('a')/Lines(1) If-Match: * stale
            """#
        ),
    ]
}
