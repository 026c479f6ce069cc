// SPDX-License-Identifier: GPL-2.0
// Pass the table, as the last argument, wherever one of the tracepoints fires.
// TRACEPOINTS is replaced by their names, joined by |.
@@
identifier tp =~ "^(trace_|trace_call__)(TRACEPOINTS)_tp$";
expression list args;
@@
 tp(args
+ , &sched_tp_callbacks
 )
