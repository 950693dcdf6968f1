extension SeamScript {
    /// Foreign keys of two parts, and such as are parts of keys.
    static let parts = [
        SeamScript(
            "a foreign key of two parts follows the key that the service gives",
            #"""
            query Notes Notes
            query Clips Clips
            full Clips {"ID":6,"NoteDay":1,"NoteNo":2} {"ID":7,"NoteDay":1,"NoteNo":9}
            merge
            POST Notes {"Day":1,"No":2,"Text":"n"}
              -> Notes(Day=1,No=2)
            POST Clips {"ID":5,"Note@odata.bind":"Notes(Day=1,No=2)"}
              -> Clips(5)
            PATCH Clips(5) {"Text":"x"}
            PATCH Clips(7) {"NoteNo":2}
            queue
              1 pending POST Notes {"Day":1,"No":2,"Text":"n"}
              2 pending POST Clips {"ID":5,"Note@odata.bind":"Notes(Day=1,No=2)"} after [1]
              3 pending PATCH Clips(5) {"Text":"x"} after [2]
              4 pending PATCH Clips(7) {"NoteNo":2} after [1]
            send
              1 POST Notes {"Day":1,"No":2,"Text":"n"}
            ok 1 {"Day":3,"No":4,"Text":"n"}
            rows Clips
              {isLocal hasPendingChanges ID:5 Text:x NoteDay:3 NoteNo:4}
              {ID:6 NoteDay:1 NoteNo:2}
              {isLocal hasPendingChanges ID:7 NoteDay:1 NoteNo:4}
            queue
              2 pending POST Clips {"ID":5,"Note@odata.bind":"Notes(Day=3,No=4)"}
              3 pending PATCH Clips(5) {"Text":"x"} after [2]
              4 pending PATCH Clips(7) {"NoteNo":4}
            drop 3
            rows Clips
              {isLocal hasPendingChanges ID:5 NoteDay:3 NoteNo:4}
              {ID:6 NoteDay:1 NoteNo:2}
              {isLocal hasPendingChanges ID:7 NoteDay:1 NoteNo:4}
            send
              2 POST Clips {"ID":5,"Note@odata.bind":"Notes(Day=3,No=4)"}
              4 PATCH Clips(7) If-Match: * stale {"NoteNo":4}
            """#
        ),
        SeamScript(
            "a foreign key of two parts is set, moved and taken away",
            #"""
            query Notes Notes
            query Clips Clips
            full Notes {"Day":1,"No":2} {"Day":1,"No":3}
            full Clips {"ID":5,"NoteDay":1,"NoteNo":2}
            merge
            rows Notes(Day=1,No=2)/Clips
              {ID:5 NoteDay:1 NoteNo:2}
            PATCH Clips(5) {"Note@odata.bind":"Notes(Day=1,No=3)"}
            rows Clips
              {isLocal hasPendingChanges ID:5 NoteDay:1 NoteNo:3}
            rows Notes(Day=1,No=3)/Clips
              {isLocal hasPendingChanges ID:5 NoteDay:1 NoteNo:3}
            DELETE Clips(5)/Note/$ref
            rows Clips
              {isLocal hasPendingChanges ID:5}
            POST Notes(Day=1,No=2)/Clips/$ref {"@odata.id":"Clips(5)"}
            rows Clips
              {isLocal hasPendingChanges ID:5 NoteDay:1 NoteNo:2}
            rows Clips(5)/Note
              {isLocal hasPendingChanges Day:1 No:2}
            DELETE Notes(Day=1,No=2)
            rows Clips
              {isLocal hasPendingChanges ID:5 NoteDay:1 NoteNo:2}
            undo Notes(Day=1,No=2)
            rows Clips
              {isLocal hasPendingChanges ID:5}
            """#
        ),
        SeamScript(
            "entities below a new one of two keys",
            #"""
            query Notes Notes
            query Clips Clips
            POST Notes {"Day":1,"No":2,"Clips":[{"ID":5,"Text":"a"},{"ID":6,"Text":"b"}]}
              -> Notes(Day=1,No=2)
            rows Clips
              {isLocal hasPendingChanges ID:5 Text:a NoteDay:1 NoteNo:2}
              {isLocal hasPendingChanges ID:6 Text:b NoteDay:1 NoteNo:2}
            send
              1 POST Notes {"Day":1,"No":2,"Clips":[{"ID":5,"Text":"a"},{"ID":6,"Text":"b"}]}
            ok 1 {"Day":1,"No":9,"Clips":[{"ID":6,"Text":"b"},{"ID":15,"Text":"a"}]}
            rows Clips
              {isLocal ID:6 Text:b NoteDay:1 NoteNo:9}
              {isLocal ID:15 Text:a NoteDay:1 NoteNo:9}
            rows Notes(Day=1,No=9)/Clips
              {isLocal ID:6 Text:b NoteDay:1 NoteNo:9}
              {isLocal ID:15 Text:a NoteDay:1 NoteNo:9}
            """#
        ),
        SeamScript(
            "entities whose keys begin with that of a new one",
            #"""
            query Orders Orders
            query Steps Steps
            POST Orders {"Title":"a","Steps":[{"No":1,"Text":"x"}]}
              -> Orders(A)
            POST Orders(A)/Steps {"No":2,"Text":"y"}
              -> Steps(B)
            rows Steps
              {isLocal hasPendingChanges No:1 Text:x}
              {isLocal hasPendingChanges No:2 Text:y}
            queue
              1 pending POST Orders {"Title":"a","Steps":[{"No":1,"Text":"x"}]}
              2 pending POST Orders(A)/Steps {"No":2,"Text":"y"} after [1]
            send
              1 POST Orders {"Title":"a","Steps":[{"No":1,"Text":"x"}]}
            ok 1 {"ID":7,"Title":"a","Steps":[{"OrderID":7,"No":1,"Text":"x"}]}
            rows Steps
              {isLocal OrderID:7 No:1 Text:x}
              {isLocal hasPendingChanges OrderID:7 No:2 Text:y}
            queue
              2 pending POST Orders(A)/Steps {"No":2,"Text":"y"}
            send
              2 POST Orders(7)/Steps {"No":2,"Text":"y"}
            ok 2 {"OrderID":7,"No":3,"Text":"y"}
            rows Orders(7)/Steps
              {isLocal OrderID:7 No:1 Text:x}
              {isLocal OrderID:7 No:3 Text:y}
            PATCH Steps(OrderID=7,No=3) {"Text":"z"}
            DELETE Orders(7)
            rows Steps
              {isLocal OrderID:7 No:1 Text:x}
              {isLocal hasPendingChanges OrderID:7 No:3 Text:z}
            send
              3 PATCH Steps(OrderID=7,No=3) If-Match: * {"Text":"z"}
              4 DELETE Orders(7) If-Match: *
            """#
        ),
        SeamScript(
            "a foreign key of two parts follows a link of a delta",
            #"""
            query Notes Notes?$expand=Clips
            query Clips Clips
            full Notes {"Day":1,"No":2,"Clips":[]} {"Day":3,"No":4,"Clips":[]}
            full Clips {"ID":5,"Text":"a"}
            merge
            delta Notes {"@odata.context":"http://service/$metadata#Notes/$link","source":"Notes(Day=1,No=2)","relationship":"Clips","target":"Clips(5)"}
            merge
            rows Clips
              {ID:5 Text:a NoteDay:1 NoteNo:2}
            rows Notes(Day=1,No=2)/Clips
              {ID:5 Text:a NoteDay:1 NoteNo:2}
            delta Notes {"@odata.context":"http://service/$metadata#Notes/$deletedLink","source":"Notes(Day=1,No=2)","relationship":"Clips","target":"Clips(5)"}
            merge
            rows Clips
              {ID:5 Text:a NoteNo:2}
            rows Notes(Day=1,No=2)/Clips
            """#
        ),
        SeamScript(
            "what has the key of another entity in its own stays with that",
            #"""
            query Orders Orders
            query Steps Steps
            full Steps {"OrderID":5,"No":9,"Text":"theirs"}
            merge
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Steps {"OrderID":5,"No":1,"Text":"x"}
              -> Steps(OrderID=5,No=1)
            PATCH Steps(OrderID=5,No=1) {"Text":"y"}
            send
              1 POST Orders {"ID":5,"Title":"a"}
            ok 1 {"ID":50,"Title":"a"}
            rows Steps
              {OrderID:5 No:9 Text:theirs}
              {isLocal hasPendingChanges OrderID:50 No:1 Text:y}
            queue
              2 pending POST Steps {"OrderID":50,"No":1,"Text":"x"}
              3 pending PATCH Steps(OrderID=50,No=1) {"Text":"y"} after [2]
            drop 3
            rows Steps
              {OrderID:5 No:9 Text:theirs}
              {isLocal hasPendingChanges OrderID:50 No:1 Text:x}
            send
              2 POST Steps {"OrderID":50,"No":1,"Text":"x"}
            """#
        ),
        SeamScript(
            "every request that names an entity of two keys follows them",
            #"""
            query Notes Notes
            query Cards Cards
            full Cards {"Name":"a"}
            merge
            POST Notes {"Day":1,"No":2,"Text":"n"}
              -> Notes(Day=1,No=2)
            POST Cards('a')/Notes/$ref {"@odata.id":"Notes(Day=1,No=2)"}
            PATCH Notes(Day=1,No=2) {"Text":"m"}
            DELETE Cards('a')/Notes/$ref?$id=Notes(Day=1,No=2)
            template=X-Day:{Notes(Day=1,No=2)/Text} PATCH Cards('a') {"Title":"x"}
            POST attach {"tag":"Notes(Day=1,No=2)"}
            queue
              1 pending POST Notes {"Day":1,"No":2,"Text":"n"}
              2 pending POST Cards('a')/Notes/$ref {"@odata.id":"Notes(Day=1,No=2)"} after [1]
              3 pending PATCH Notes(Day=1,No=2) {"Text":"m"} after [1]
              4 pending DELETE Cards('a')/Notes/$ref?$id=Notes(Day=1,No=2) after [1, 2]
              5 pending PATCH Cards('a') {"Title":"x"} after [1, 4] [ X-Day: {Notes(Day=1,No=2)/Text}]
              6 pending POST attach {"tag":"Notes(Day=1,No=2)"} after [1]
            send
              1 POST Notes {"Day":1,"No":2,"Text":"n"}
            ok 1 {"Day":1,"No":3,"Text":"n"}
            queue
              2 pending POST Cards('a')/Notes/$ref {"@odata.id":"Notes(Day=1,No=3)"}
              3 pending PATCH Notes(Day=1,No=3) {"Text":"m"}
              4 pending DELETE Cards('a')/Notes/$ref?$id=Notes(Day=1,No=3) after [2]
              5 pending PATCH Cards('a') {"Title":"x"} after [4] [ X-Day: {Notes(Day=1,No=3)/Text}]
              6 pending POST attach {"tag":"Notes(Day=1,No=3)"}
            send
              2 POST Cards('a')/Notes/$ref {"@odata.id":"http://service/Notes(Day=1,No=3)"}
              3 PATCH Notes(Day=1,No=3) If-Match: * {"Text":"m"}
            """#
        ),
    ]
}
