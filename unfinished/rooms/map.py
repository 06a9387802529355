# unit -> room (below server/session)
ROOMS = {
 'context': 'session_facts caller refusals cell_budget departures workplace neighbourhood surroundings'.split(),
 'recording': 'recorder recorder_parking kept_run checkpoint screen_replay line_tally inbox_reads mark_payload store retention transcript_uses opened_journal deferred_output turn_limit'.split(),
 'delivery': 'viewer audience subscription delivery flow kept_marks event_source brake holds base64'.split(),
 'child': 'child input_queue activity_watch'.split(),
 'agent': 'program_run program_rules raw_output'.split(),
 'routing': 'session_manager directory census router session_host turns'.split(),
 '': 'session session_starts session_output session_viewers portrait parking typing command_shell'.split(),
}
TESTS = {
 'context': 'caller cell_budget departures'.split(),
 'recording': 'recorder recorder_parking recorder_turn checkpoint replay line_tally mark_payload store retention deferred_output program_recorder'.split(),
 'delivery': 'viewer audience delivery flow kept_marks brake holds hearing'.split(),
 'child': 'child input_queue activity_watch'.split(),
 'agent': 'program program_end program_extension program_owner program_tool_call program_rules raw_output retained_programs'.split(),
 'routing': 'census router session_host turns registry loops'.split(),
}
SUPPORT = {'recording':['recorder_test.hpp'],'delivery':['audience_test.hpp','fake_publisher.hpp'],'agent':['program_test.hpp'],'context':['fake_neighbourhood.hpp']}
