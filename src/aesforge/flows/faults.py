"""Faults that a designer makes in the control, and some in the parts: the hand-made mutants.

A file's faults stand together; `flows/mutants.py` tries them. Faults in throughput alone are not
here: `aesforge verify` measures it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A named substitution in one file of the RTL; `old` stands there exactly once."""

    file: str
    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


# By file: name, text, and what comes in its place.
_FAULTS = {
    "aes_iterative": (
        ("one round too few", ": rounds_now - 4'd1);", ": rounds_now - 4'd2);"),
        ("the last round without its key", "index_q == (", "index_q + 4'd1 == ("),
        ("an idle core finds its last round", "last_q <= running_q && ", "last_q <= "),
        ("a round skipped at the start", "rounds_now - 4'd1 : 4'd1;", "rounds_now - 4'd2 : 4'd2;"),
        ("a stall is dropped", "(valid_q && !out_ready_i);", "1'b0;"),
        ("a result is overwritten", "!running_q && (!valid_q || out_ready_i);", "!running_q;"),
        (
            "a result is given twice",
            "(running_q && last_q) || (valid_q && !out_ready_i);",
            "(running_q && last_q) || valid_q;",
        ),
        ("accepts while it runs", "!clearing && !running_q && (", "!clearing && ("),
        ("accepts without a key", "= loaded && !clearing", "= !clearing"),
        ("accepts in a clear", "= loaded && !clearing && ", "= loaded && "),
        ("the key in force now, not at acceptance", "= running_q ? bank_q : bank;", "= bank;"),
        (
            "the bank in use is ignored",
            "running_q && bank_q, running_q",
            "2'b00 == 2'b01, 1'b0 && running_q",
        ),
        ("a clear leaves the block", "if (clearing) start_q <= '0;\n    else ", ""),
        (
            "ready depends on data",
            "= loaded && !clearing",
            "= loaded && !(&in_data_i) && !clearing",
        ),
        ("valid depends on the key", "= valid_q;", "= valid_q && !(&k_sch);"),
        ("a clear does not stop a block", "if (!rst_ni || clearing) begin", "if (!rst_ni) begin"),
        ("the first AddRoundKey is missing", "in_data_i ^ k_sch :", "in_data_i :"),
    ),
    "aes_feedback": (
        ("one round too few", "last = round_q == ROUNDS;", "last = round_q == ROUNDS - 4'd1;"),
        ("a step too few to the last round key", "ROUNDS - 4'd1;", "ROUNDS - 4'd2;"),
        ("a stall is dropped", "(valid_q && !out_ready_i);", "1'b0;"),
        ("a result is overwritten", "!running_q && (!valid_q || out_ready_i);", "!running_q;"),
        (
            "a result is given twice",
            "(running_q && last) || (valid_q && !out_ready_i);",
            "(running_q && last) || valid_q;",
        ),
        ("accepts while it runs", "!clearing && !running_q && (", "!clearing && ("),
        ("accepts without a key", "= loaded_q && !clearing", "= !clearing"),
        ("accepts in a clear", "= loaded_q && !clearing && ", "= loaded_q && "),
        ("a key comes in during a clear", "= !setup_q && !clearing;", "= !setup_q;"),
        ("a key comes in while another is prepared", "= !setup_q && !clearing;", "= !clearing;"),
        ("a key is prepared in the rounds of a block", "setup_q && !running_q;", "setup_q;"),
        (
            "the old key serves until the new one is prepared",
            "if (take_key) loaded_q <= !DERIVE;\n      else if (prepared)",
            "if (take_key && !DERIVE || prepared)",
        ),
        ("a given key is not taken", "last_found = take_key;", "last_found = 1'b0;"),
        (
            "a given key is derived too",
            "DECRYPT && KeySchedule != aes_pkg::KEY_SCHEDULE_GIVEN;",
            "DECRYPT;",
        ),
        ("a clear leaves the first round key", "      first_q <= '0;\n", ""),
        ("a clear leaves the last round key", "      last_q <= '0;\n", ""),
        ("a clear leaves a round key", "      k_sch_q <= '0;\n", ""),
        ("a clear leaves the block", "if (clearing) start_q <= '0;\n    else ", ""),
        ("a reset leaves the registers", "<= !rst_ni || key_clear_i;", "<= key_clear_i;"),
        ("the schedule goes one way", "= running_q ? decrypt :", "= running_q ? 1'b0 :"),
        ("the schedule starts the other way", "!prepare && decrypt_next;", "!prepare && decrypt;"),
        ("a set-up goes the way of the next block", "!prepare && decrypt_next", "decrypt_next"),
        ("Rcon starts at one end", ": back ? LAST_RCON : FIRST_RCON;", ": FIRST_RCON;"),
        ("Rcon in one order", "back ? aes_gf_pkg::xtime_inverse(rcon) : ", ""),
        ("decryption starts from the key", "back ? last_q : first_q;", "first_q;"),
        ("the last round key is mixed", "(decrypt && !last) ? mixed", "decrypt ? mixed"),
        ("round keys are not mixed", "(decrypt && !last) ? mixed : ", ""),
        (
            "ready depends on data",
            "= loaded_q && !clearing",
            "= loaded_q && !(&in_data_i) && !clearing",
        ),
        (
            "ready depends on the key",
            "= !setup_q && !clearing;",
            "= !(setup_q && !(&first_q)) && !clearing;",
        ),
        ("the first AddRoundKey is missing", "in_data_i ^ k_sch;", "in_data_i;"),
    ),
    "aes_pipelined": (
        ("a stall is dropped", "= out_valid_q && !out_ready_i;", "= 1'b0;"),
        ("the rounds go on in a stall", "assign move = !beside_q;", "assign move = 1'b1;"),
        (
            "a result is given twice",
            "beside_q ? beside_valid_q : valid_q[DEPTH-1];",
            "beside_q ? beside_valid_q : valid_q[DEPTH-1] || out_valid_q;",
        ),
        (
            "the result beside is lost",
            "beside_q ? beside_valid_q : valid_q[DEPTH-1];",
            "valid_q[DEPTH-1];",
        ),
        ("the result beside is passed over", "beside_q ? beside_data_q : last;", "last;"),
        ("the result beside changes", "if (move) beside_data_q", "beside_data_q"),
        ("the empty place beside is filled", "if (move) beside_valid_q", "beside_valid_q"),
        (
            "a block is counted late",
            "{valid_q[DEPTH-2:0], accept}",
            "{valid_q[DEPTH-3:0], accept, 1'b0}",
        ),
        ("accepts without a key", "= loaded_q && !clearing && move", "= !clearing && move"),
        ("accepts in a clear", "= loaded_q && !clearing && move", "= loaded_q && move"),
        ("accepts in a stall", "= loaded_q && !clearing && move", "= loaded_q && !clearing"),
        ("a key comes in during a clear", "= !clearing && (!STORED", "= (!STORED"),
        ("a key comes in while blocks use the old one", "(!busy && empty_q)", "!busy"),
        ("a key comes in while another is set up", "(!busy && empty_q)", "empty_q"),
        ("the rounds are said to be empty too soon", "= LEFT'(DEPTH);", "= 6'(DEPTH / 2);"),
        (
            "clocks are counted in a stall",
            "end else if (move) begin\n      if (left_q",
            "end else begin\n      if (left_q",
        ),
        ("a clear ends before the last stage", "= LEFT'(DEPTH + 1);", "= 6'(DEPTH - 1);"),
        (
            "a clear leaves the result",
            "if (clearing) begin\n      result_q <= '0;\n      beside_data_q <= '0;",
            "if (!rst_ni) begin\n      result_q <= '0;\n      beside_data_q <= '0;",
        ),
        ("a clear leaves the result beside", "      beside_data_q <= '0;\n", ""),
        ("a clear leaves the key", "      key_q <= '0;\n", ""),
        ("blocks go in during a clear", "clearing ? '0 : in_data_i ^", "in_data_i ^"),
        (
            "a clear does not stop blocks",
            "if (!rst_ni || clearing) begin\n      valid_q",
            "if (!rst_ni) begin\n      valid_q",
        ),
        (
            "the old key serves until the new one is set up",
            "busy_q <= 1'b1;\n        loaded_q <= 1'b0;",
            "busy_q <= 1'b1;",
        ),
        (
            "a key changes before it is taken",
            "end else if (take_key) begin\n        key_q",
            "end else if (key_valid_i) begin\n        key_q",
        ),
        ("ready depends on data", "&& move && !(", "&& move && !(&in_data_i) && !("),
        (
            "ready depends on the key",
            "= !clearing && (!STORED",
            "= !clearing && !(&key_i) && (!STORED",
        ),
        ("valid depends on data", "= out_valid_q;", "= out_valid_q && !(&result_q);"),
        ("the first AddRoundKey is missing", "in_data_i ^ k_sch[127:0];", "in_data_i;"),
        ("MixColumns in the last round", "(r == NR)", "(1'b0)"),
        (
            "the key of the round before",
            ".k_sch_i   (k_sch[128*r +: 128])",
            ".k_sch_i   (k_sch[128*(r-1) +: 128])",
        ),
        ("too few rounds are passed by", "&& r <= 4)", "&& r <= 2)"),
        ("the direction goes on in a stall", "else if (move) decrypt_q", "else decrypt_q"),
        (
            "the direction of the block behind",
            "decrypts[Stages*(r-1) +: Stages]",
            "{Stages{(r == 1) ? decrypt : decrypts[Stages*(r-1)-1]}}",
        ),
        (
            "the round key of the block behind",
            "= decrypts[Stages*r-1];",
            "= decrypts[(Stages * r == 1) ? 0 : Stages*r-2];",
        ),
        ("a register goes on in a stall", "if (move) start_q", "start_q"),
    ),
    "aes_key_line": (
        (
            "a key goes on in a stall",
            "if (move_i) begin\n        start_q",
            "begin\n        start_q",
        ),
        ("too few rounds are passed by", "= ROUND <= skipped_late;", "= ROUND < skipped_late;"),
        ("a shorter key does not wait", "pass_o[r] ? start : next;", "next;"),
        ("the round of a longer key", "= ROUND - skipped_late;", "= ROUND;"),
        ("SubWord for the round of a longer key", "(ROUND - skipped)", "(ROUND)"),
        ("the key of the round before", "= next[255:128];", "= start[255:128];"),
    ),
    "aes_key_fold": (
        (
            "the last round key is not waited for",
            "answered_q && round_q == rounds :",
            "answered_q && round_q + 4'd1 == rounds :",
        ),
        (
            "the last round key for decryption is not waited for",
            "made_q && index_q == rounds;",
            "made_q && index_q + 4'd3 == rounds;",
        ),
        ("SubWord is not waited for", "answered_q <= !answered_q;", "answered_q <= 1'b1;"),
        (
            "a round key in the place behind",
            "= round_q + rounds_left;",
            "= round_q + rounds_left + 4'd1;",
        ),
        ("a shorter key from the first place on", "= round_q + rounds_left;", "= round_q;"),
        ("decryption in the order of encryption", "4'(NR) - index_q;", "place;"),
        ("the last round key is not the first", "(index_q == rounds) ? '0 : 4'(NR)", "4'(NR)"),
        (
            "the first round key is mixed",
            "(index_q == '0 || index_q == rounds) ?",
            "(index_q == rounds) ?",
        ),
        (
            "the last round key is mixed",
            "(index_q == '0 || index_q == rounds) ?",
            "(index_q == '0) ?",
        ),
        (
            "a clear leaves the window",
            "if (clear_i) window_q <= '0;\n    else if (load_i)",
            "if (load_i)",
        ),
        ("the round is not counted from the start", "round_q <= 4'd1;", "round_q <= 4'd2;"),
        ("too few rounds are passed by", "4'(r) <= rounds_left;", "4'(r) < rounds_left;"),
        (
            "the key size of the next key",
            "len_q <= key_len_i;\n    end else if (round_q",
            "len_q <= '0;\n    end else if (round_q",
        ),
    ),
    "aes_key_slot": (
        ("a clear leaves a word", "clear_i ? clear_word_i : write_decrypt_i;", "write_decrypt_i;"),
        (
            "a clear leaves the round key",
            "if (clear_i) k_sch_q <= '0;\n      else if (write)",
            "if (write)",
        ),
        ("one word for both directions", "= words[decrypt_i];", "= words[0];"),
        ("the words exchanged", "= words[decrypt_i];", "= words[!decrypt_i];"),
    ),
    "aes_key_round": (
        (
            "a word of the window twice",
            "window_i[159:128] ^ made_2;",
            "window_i[159:128] ^ made_1;",
        ),
        ("the third word has no SubWord", "(substitutes_third ? sub_word_i : made_1)", "made_1"),
        (
            "the first word always has SubWord",
            "(substitutes_first ? sub_word_i : window_i[95:64])",
            "sub_word_i",
        ),
    ),
    "aes_key_rcon": (
        ("Rcon starts at 02", "power = 8'h01;", "power = 8'h02;"),
        ("Rcon in every round of a 256-bit key", "round_i[0] ? RCON_256", "1'b1 ? RCON_256"),
    ),
    "aes_key_round_word": (
        ("RotWord the wrong way", "{word[23:0], word[31:24]}", "{word[7:0], word[31:8]}"),
        ("RotWord in every round of a 256-bit key", "LEN_256 && !round_i[0])", "LEN_256 && 1'b0)"),
        ("the third word without the first", "^ window_i[255:224] ^", "^"),
    ),
    "aes_round_line": (
        ("AddRoundKey is missing", "= to_add ^ k_sch_i;", "= to_add;"),
        (
            "the round is passed by with its key",
            "pass_i ? start : next;",
            "pass_i ? start ^ k_sch_i : next;",
        ),
        ("no round is passed by", "pass_i ? start : next;", "next;"),
    ),
    "aes_sub_line": (("a stage goes on in a stall", "if (move_i) s_box_q", "s_box_q"),),
    "aes_sub_tower": (
        (
            "a cut goes on in a stall",
            "if (move_i) begin\n      conjugate_q",
            "begin\n      conjugate_q",
        ),
        (
            "the second cut goes on in a stall",
            ".move_i (move_i),\n    .data_i (products)",
            ".move_i (1'b1),\n    .data_i (products)",
        ),
        (
            "the coordinates exchanged",
            "{low ^ both, both}",
            "{low ^ both, low}",
        ),
        ("a norm without the square", "& UNIONS[9*r +: 9]) ^", "& 9'h0) ^"),
    ),
    "aes_delay": (("a companion goes on in a stall", "if (move_i) line_q", "line_q"),),
    "aes_interleaved": (
        ("one round too few", "= round_now == rounds_now;", "= round_next == rounds_now;"),
        ("one round too many", "= round_now == rounds_now;", "= round_now == rounds_now + 4'd1;"),
        (
            "a round key skipped at the start",
            "decrypt_now ? rounds_now : 4'd0;",
            "decrypt_now ? rounds_now - 4'd1 : 4'd1;",
        ),
        ("a round that is not counted", "round_now + 4'd1;", "round_now + 4'(round_now != 4'd3);"),
        ("the round of another place", "round_q[4*STAGES-1 -: 4]", "round_q[4*STAGES-5 -: 4]"),
        ("the round key of another place", "= round_q[4*STAGES-5 -: 4]", "= round_q[3:0]"),
        ("a round key further on", "rounds_behind - round_behind", "rounds_behind - round_next"),
        ("MixColumns in the last round", "round_next == rounds_now;", "1'b0;"),
        (
            "the last round is said to be the one before",
            "round_now == 4'd0 : round_next ==",
            "round_now == 4'd1 : round_next + 4'd1 ==",
        ),
        ("a block overtakes one with more rounds", "= in_use[!bank] &&", "= 1'b0 &&"),
        ("the rounds of another bank", "= rounds[4*bank_now +: 4]", "= rounds[4*bank +: 4]"),
        ("a stall is dropped", "= !done_q || out_ready_i;", "= 1'b1;"),
        ("places go on in a stall", "end else if (move) begin", "end else begin"),
        (
            "rounds are counted in a stall",
            "    if (move) begin\n      bank_q",
            "    begin\n      bank_q",
        ),
        ("a result changes in a stall", "else if (move) start_q", "else start_q"),
        (
            "a result is given twice",
            "done_q <= !free && finished;",
            "done_q <= (!free && finished) || (done_q && free);",
        ),
        ("a finished block goes round again", "(!free && !finished)", "!free"),
        (
            "a block is lost on its way",
            "accept || (!free && !finished)",
            "accept || (!free && !finished && !in_valid_i)",
        ),
        ("accepts into a busy place", "&& move && free &&", "&& move &&"),
        ("accepts in a stall", "&& move && free &&", "&& free &&"),
        ("accepts into the place of the schedule", "&& free && !claim &&", "&& free &&"),
        ("accepts without a key", "= loaded && !clearing", "= !clearing"),
        ("accepts in a clear", "= loaded && !clearing", "= loaded"),
        ("the key in force now, not at acceptance", "free ? bank : bank_q[STAGES-1];", "bank;"),
        (
            "the bank of another place",
            "free ? bank : bank_q[STAGES-1];",
            "free ? bank : bank_q[0];",
        ),
        # Probably no matter to encryption with 128-bit keys: the schedule writes a round key in as
        # many moves as a block takes to read the next, and starts behind all of them.
        (
            "the banks in use are exchanged",
            "{|(busy_q & bank_q), |(busy_q & ~bank_q)}",
            "{|(busy_q & ~bank_q), |(busy_q & bank_q)}",
        ),
        ("the banks in use are ignored", "{|(busy_q & bank_q), |(busy_q & ~bank_q)}", "2'b00"),
        (
            "a place that uses a bank is overlooked",
            "{|(busy_q & bank_q), |(busy_q & ~bank_q)}",
            "{|(busy_q[2:0] & bank_q[2:0]), |(busy_q[2:0] & ~bank_q[2:0])}",
        ),
        ("a clear does not stop blocks", "if (!rst_ni || clearing) begin", "if (!rst_ni) begin"),
        ("a clear leaves a result", "      done_q <= 1'b0;", "      if (!rst_ni) done_q <= 1'b0;"),
        (
            "a clear leaves the block",
            "if (clearing) start_q <= '0;\n    else if (move)",
            "if (move)",
        ),
        (
            "ready depends on data",
            "= loaded && !clearing",
            "= loaded && !(&in_data_i) && !clearing",
        ),
        ("ready depends on the key", "= loaded && !clearing", "= loaded && !(&key_i) && !clearing"),
        (
            "a stall depends on data",
            "= !done_q || out_ready_i;",
            "= !done_q || out_ready_i || &in_data_i;",
        ),
        ("valid depends on the key", "= done_q;", "= done_q && !(&k_sch);"),
        (
            "a free place counts as busy",
            "free = !busy_q[STAGES-1];",
            "free = !busy_q[STAGES-1] && !busy_q[0];",
        ),
        (
            "a busy place counts as free",
            "free = !busy_q[STAGES-1];",
            "free = !busy_q[STAGES-1] || &busy_q;",
        ),
        ("the result of another place", "out_data_o = start_q;", "out_data_o = state;"),
        ("a block on offer goes before one in the loop", "state = free ?", "state = in_valid_i ?"),
        ("the first AddRoundKey is missing", "= state ^ k_sch;", "= free ? state : state ^ k_sch;"),
        ("the schedule enters a busy place", "= claim && free;", "= claim;"),
        ("the schedule does not enter", "= claim && free;", "= 1'b0;"),
        ("the schedule goes on in a stall", ".move_i       (move),", ".move_i       (1'b1),"),
        (
            "the schedule takes every place for free",
            ".free_i       (free),",
            ".free_i       (1'b1),",
        ),
    ),
    "aes_key_window": (
        ("Rcon stands still", "aes_gf_pkg::xtime(rcon_q)", "rcon_q"),
        ("Rcon starts at 02", "rcon_q <= 8'h01;", "rcon_q <= 8'h02;"),
        ("Rcon advances too often", "if (rotate) rcon_q", "rcon_q"),
        ("a phase too long", "= len + 2'd1;", "= len + 2'd2;"),
        ("phase is not restarted", "      phase_q <= 2'd0;\n", ""),
        ("a clear leaves the window", "if (clear_i) window_q <= '0;\n    else ", ""),
    ),
    "aes_key_banks": (
        (
            "a key is written over the one in force",
            "{count_q[4:1], !bank_q};",
            "{count_q[4:1], bank_q};",
        ),
        ("the bank never changes", "bank_q <= !bank_q;", "bank_q <= bank_q;"),
        ("a bank in use is written", " && !in_use_i[!bank_q] && ", " && "),
        ("the wrong bank is guarded", "!in_use_i[!bank_q]", "!in_use_i[bank_q]"),
        ("halves of a round key swapped", "{!count_q[0], count_q[0]}", "{count_q[0], !count_q[0]}"),
        ("a clear forgets the last line", "count_q == LAST_LINE)", "count_q == LAST_LINE - 5'd1)"),
        ("a clear writes one half only", "? 2'b11 :", "? 2'b10 :"),
        (
            "a clear leaves a bank",
            "(phase_q == CLEAR) ? count_q : {",
            "(phase_q == CLEAR) ? {count_q[4:1], 1'b0} : {",
        ),
        ("a clear writes no zeros", "(phase_q == CLEAR) ? 64'h0 : words_i", "words_i"),
        ("a schedule ends early", "[4*!bank_q +: 4], 1'b1}", "[4*!bank_q +: 4], 1'b0}"),
        ("a withdrawn key comes into force", "= loaded_q && !key_valid_i;", "= 1'b0;"),
        ("key_ready one schedule early", "loaded_q ? last && !key_clear_i : free;", "free;"),
        ("key_ready in a clear", "!in_use_i[!bank_q] && !key_clear_i;", "!in_use_i[!bank_q];"),
        (
            "a clear keeps the key in force",
            "      count_q <= '0;\n      loaded_q <= 1'b0;",
            "      count_q <= '0;\n      if (!rst_ni) loaded_q <= 1'b0;",
        ),
        ("the count is not restarted", "if (phase_q == IDLE) count_q <= '0;\n      else if", "if"),
    ),
    "aes_key_store_shared": (
        ("SubWord is taken a move early", "BITS'(SubLatency))", "BITS'(SubLatency - 1))"),
        ("SubWord is taken a move late", "BITS'(SubLatency))", "BITS'(SubLatency + 1))"),
        # Probably no matter with 128-bit keys, whose schedule asks for each word that enters.
        ("SubWord is taken of a word that was not asked for", "(asked_q && beat_q", "(beat_q"),
        (
            "SubWord is not waited for",
            "(!substitute || (asked_q && beat_q == BITS'(SubLatency)))",
            "1'b1",
        ),
        ("the place is not claimed", "= expanding && in_front;", "= 1'b0;"),
        ("a place is claimed without a schedule", "= expanding && in_front;", "= in_front;"),
        (
            "the place is not held",
            "beat_q <= beat_q + BITS'(1);",
            "beat_q <= (beat_q == BITS'(2)) ? '0 : beat_q + BITS'(1);",
        ),
        ("the place is not given back", "!rst_ni || !expanding", "!rst_ni"),
        ("a busy place is taken", "else if (move_i && (!in_front || free_i))", "else if (move_i)"),
        (
            "moves are counted in a stall",
            "else if (move_i && (!in_front || free_i))",
            "else if (!in_front || free_i)",
        ),
        # Probably no matter with SubLatency 1: a stall has a result where the word of the schedule
        # would be.
        ("a step in a stall", "= expanding && move_i &&", "= expanding &&"),
    ),
    "aes_key_step": (
        ("a word is not added", "words_i[31:0] ^ ", "words_i[31:0] | "),
        ("RotWord the wrong way", "{temp_i[23:0], temp_i[31:24]}", "{temp_i[7:0], temp_i[31:8]}"),
    ),
    "aes_key_given": (("the key for its last round key", "key_i[127:0]", "key_i[255:128]"),),
    "aes_key_turn": (
        ("SubWord of another word", "back_i ? w2 ^ w3 : w3;", "w3;"),
        ("RotWord the wrong way", "{temp[23:0], temp[31:24]}", "{temp[7:0], temp[31:8]}"),
        ("a word of the new key for one of the old", "(back_i ? w1 :", "(1'b0 ? w1 :"),
    ),
    "aes_serial": (
        ("a round too few", "aes_pkg::len_rounds(len);", "aes_pkg::len_rounds(len) - 4'd1;"),
        ("a round too many", "aes_pkg::len_rounds(len);", "aes_pkg::len_rounds(len) + 4'd1;"),
        ("a stall is dropped", "(valid_q && !out_ready_i);", "1'b0;"),
        ("a result is overwritten", "!running_q && (!valid_q || out_ready_i);", "!running_q;"),
        (
            "a block under no key",
            "= loaded_q && !key_clear_i && ",
            "= !clear_q && !key_clear_i && ",
        ),
        (
            "a handshake in a clear",
            "!setup_q && !clear_q && !key_clear_i;",
            "!setup_q && !clear_q;",
        ),
        ("key_ready before a clear is done", "!setup_q && !clear_q && ", "!setup_q && "),
        ("a key taken while one is set up", "!setup_q && !clear_q", "!prepare_q && !clear_q"),
        ("blocks under the old key in a set-up", "loaded_q <= !DECRYPT;", "loaded_q <= 1'b1;"),
        ("a key is run through under a block", "!prepare_q && !running_q;", "!prepare_q;"),
        ("a key is run through a word short", "place_q[3:2] == 2'd3;", "place_q[3:2] == 2'd2;"),
        ("the side is not turned", "side_q <= decrypt_next;", "side_q <= side_q;"),
        ("a new key on the old side", "if (take_key) side_q <= 1'b0;\n      else if", "if"),
        (
            "each block goes back to the kept start",
            "((accept && same_side) || begin_setup)",
            "(accept || begin_setup)",
        ),
        ("the other start is not kept", "((accept && !same_side) || clear_q)", "(clear_q)"),
        (
            "a clear leaves the kept start",
            "((accept && !same_side) || clear_q)",
            "(accept && !same_side)",
        ),
        (
            "a clear goes over it once",
            "clear_q && round_done && round_q[(KeyBits == 128) ? 0 : 1];",
            "clear_q && round_done;",
        ),
        (
            "a clear takes as long for longer keys",
            "round_q[(KeyBits == 128) ? 0 : 1]",
            "round_q[0]",
        ),
        ("a clear leaves the state", "(clear_q ? 32'h0 : next)", "(next)"),
        ("a clear leaves the words", "(clear_q),\n    .sub_word_o", "(1'b0),\n    .sub_word_o"),
        (
            "the S-boxes of the next block",
            "run_d = told_q;",
            "run_d = aes_pkg::run_code(Sboxes, in_sboxes_i);",
        ),
        ("the S-boxes of the last block in the first round", "      run_d = aes_pkg::RUN_1;\n", ""),
        (
            "two S-boxes at the pace of one",
            "(run_q == aes_pkg::RUN_2) ? 5'd2",
            "(run_q == aes_pkg::RUN_2) ? 5'd1",
        ),
        (
            "the round key is left out",
            "? place_q[1] : place_q[1:0] == 2'd3",
            "? 1'b1 : place_q[1:0] == 2'd3",
        ),
        ("SubWord backwards in decryption", "(decrypt && !at_key)", "(decrypt)"),
        (
            "the direction of the next block",
            "(running_q && decrypt),\n    .clear_i",
            "(running_q && decrypt_next),\n    .clear_i",
        ),
        (
            "the size of a key that waits",
            "if (accept || begin_setup) len_q <= key_len_q;",
            "len_q <= key_len_q;",
        ),
        (
            "the size of a block in a set-up",
            "if (accept || begin_setup) len_q",
            "if (accept) len_q",
        ),
        (
            "a result turned as in the set-up",
            "if (accept) block_len_q <= key_len_q;",
            "block_len_q <= len_q;",
        ),
        ("a set-up does not go round", "(KeyBits != 128 && prepare_q && round_q == 4'd0)", "1'b0"),
        (
            "columns ascend in decryption",
            "KeyBits != 128 && (accept ? decrypt_next : decrypt)",
            "1'b0",
        ),
        ("the first column of the last block", "(accept ? decrypt_next : decrypt)", "decrypt"),
        ("ShiftRows one way", "decrypt ? 2'd0 - round_d[1:0] : ", ""),
        ("MixColumns in the last round", "(start_q || last)", "(start_q)"),
        ("the first AddRoundKey is mixed", "(start_q || last)", "(last)"),
        (
            "the last column is not written",
            "(at_key ^ (place_q[3:2] != 2'd0))",
            "(place_q[3:2] != 2'd0)",
        ),
    ),
    "aes_state_turn": (
        ("the result is not turned back", "((p+2*r)%4)", "p"),
        ("a row turned by one", "2'(r) * turn_i", "turn_i"),
        ("a result of 12 rounds is turned back", "twelve_i ? row_q[31-8*p -: 8] : ", ""),
        ("a column written where the next one is", "!before_i ? place_q :", "1'b1 ? place_q :"),
        (
            "a column written where the next one is in descending order",
            "descending_i ? {place_q[2:0], place_q[3]} : ",
            "",
        ),
        ("a column over all places", "write_i && write_place[p]", "write_i"),
    ),
    "aes_sub_lanes": (
        ("rows of two S-boxes exchanged", "row_i[1] == 1'(r/2)", "row_i[1] != 1'(r/2)"),
        ("one S-box writes two rows", "(two || row_i[0] == 1'(r%2))", "1'b1"),
        (
            "two S-boxes as one",
            "four ? substituted[7:0] : two ? substituted[23:16]",
            "four ? substituted[7:0] : 1'b0 ? substituted[23:16]",
        ),
        (
            "the state for the round key",
            "key_row_q <= next_row && next_key_i;",
            "key_row_q <= 1'b0;",
        ),
        (
            "the round key beside the state",
            "row_q <= next_row && !next_key_i;",
            "row_q <= next_row;",
        ),
        ("an S-box that runs is off", "inverse_i && running_q", "inverse_i && !running_q"),
    ),
    "aes_mix_key": (
        ("MixColumns in the last round", "(pass_i ? added : mixed)", "mixed"),
        ("the key on both sides", "(decrypt ? 32'h0 : k_sch_i)", "k_sch_i"),
        ("the key before mixing", "data_i ^ (decrypt ? k_sch_i : 32'h0)", "data_i ^ k_sch_i"),
    ),
    "aes_key_words": (
        ("the last words are sums", "start_i || (last_i && !first_i)", "start_i"),
        ("a start is summed", "start_i || (last_i && !first_i)", "last_i && !first_i"),
        ("words used as in encryption", "(back && !start_i && !first_i) ? front : sum", "sum"),
        (
            "the first word of a round as it left",
            "(back && !start_i && !first_i)",
            "(back && !start_i)",
        ),
        ("the sums of a start are not undone", "(start_i && !back) ? 32'h0", "start_i ? 32'h0"),
        ("SubWord added to a start", "start_i ? 32'h0 : sub_word_i", "sub_word_i"),
        (
            "a new key does not come first",
            "if (take_i) start_q <= key_i;\n    else if (keep_i) start_q <= words_q;",
            "if (keep_i) start_q <= words_q;\n    else if (take_i) start_q <= key_i;",
        ),
        (
            "RotWord of a word that moves",
            "start_i ? words_q[47:40] : words_q[15:8]",
            "words_q[15:8]",
        ),
        ("the word a clock late", "start_i ? sum : word_q;", "word_q;"),
    ),
    "aes_key_serial": (
        ("Rcon forward in decryption", "back_i ? 4'(NR + 1) - round_i : round_i", "round_i"),
        ("Rcon a round off in decryption", "4'(NR + 1) - round_i", "4'(NR) - round_i"),
    ),
    "aes_key_row": (
        ("RotWord for the fifth of eight", "rotates = !(eight && odd_q);", "rotates = 1'b1;"),
        ("SubWord in each round", "at_first = !six || turn_q == 2'd0;", "at_first = 1'b1;"),
        ("rounds of SubWord as in encryption", "(back ? 2'd2 : 2'd1)", "2'd1"),
        ("SubWord for another word", "at_third && column == 2'd2", "at_third && column == 2'd3"),
        ("a start of four words", "start_i || (round_1_q && ", "start_i || (1'b0 && "),
        ("a start of eight words", "(six && !word_i[1])", "six"),
        (
            "Rcon forward in decryption",
            "back ? aes_gf_pkg::xtime_inverse(rcon_q) : ",
            "",
        ),
        ("Rcon goes on without RotWord", "(step_i && special && rotates)", "(step_i && special)"),
        ("Rcon for SubWord alone", "rotates ? rcon_q : 8'h00", "rcon_q"),
        ("the last Rcon of another size", "six ? aes_gf_pkg::rcon(8) : ", ""),
        ("SubWord is gone", "(word_i == 2'd0) ? sub_word_i : sub_word_q", "sub_word_i"),
        ("SubWord of a word too soon", "(at_third ? w0 ^ w1 ^ w5 : last)", "last"),
        ("SubWord of the word of the last round", "four ? w2 ^ w3 :", "four ? w3 :"),
        ("SubWord of a word that moves", "(start_i && !eight) ? moved : still", "still"),
        ("a clear leaves the words", "coming = clear_i ? 32'h0 : ", "coming = "),
        ("words of six in places of eight", "(k == 5 && six)", "1'b0"),
        (
            "a new key does not come first",
            "if (take_i) start_q <= key_i[255-32*k -: 32];\n        "
            "else if (keep_i) start_q <= word_q;",
            "if (keep_i) start_q <= word_q;\n        "
            "else if (take_i) start_q <= key_i[255-32*k -: 32];",
        ),
        ("the word a clock late", "start_i ? leaving : back ? w0 : last", "back ? w0 : last"),
    ),
    "aes_shift_rows": (
        ("ShiftRows off by a row", "Inverse ? 13 : 5;", "Inverse ? 9 : 9;"),
        ("ShiftRows the wrong way", "Inverse ? 13 : 5;", "Inverse ? 5 : 13;"),
    ),
    "aes_mix_column": (
        ("MixColumns with a wrong coefficient", "^ a1 ^ a2 ^ a3", "^ a0 ^ a2 ^ a3"),
    ),
    "aes_mix_column_shared": (
        (
            "equation 6 as printed",
            "xtime(aes_gf_pkg::xtime(aes_gf_pkg::xtime(t0)))",
            "xtime(aes_gf_pkg::xtime(t0))",
        ),
        ("rows exchanged in the control port", "= in1 ^ z ^", "= in1 ^ y ^"),
    ),
    "aes_round_shared": (
        ("MixColumns in the last round", "(last_i ? s_row : m_col)", "m_col"),
        ("ShiftRows one way", "= decrypt ? right : left;", "= left;"),
    ),
    "aes_lean_over": (
        ("no OR in a norm", "factors_i[8:0]) & UNIONS) ^", "factors_i[8:0]) & 9'h0) ^"),
        ("the norm for its inverse", "INVERSES[4*norm +: 4]", "norm"),
    ),
    "aes_lean_sums": (
        ("one half takes the products of the other", "= factors_i &", "= {2{factors_i[8:0]}} &"),
    ),
    "aes_lean_pkg": (
        ("a coordinate that is the sum of two others", "{4'd15, 4'd12,", "{4'd8, 4'd12,"),
    ),
    "aes_sbox_inverse_table": (
        (
            "no affine map in front",
            "inverse ? aes_gf_pkg::affine_inverse(data_i) : data_i",
            "data_i",
        ),
    ),
    "aes_round": (("MixColumns in the last round", "(last_i ? s_row : m_col)", "m_col"),),
    "aes_gf_pkg": (
        ("reduction by another polynomial", "8'h1b;", "8'h1d;"),
        ("the affine constant", "affine_linear(a) ^ 8'h63;", "affine_linear(a) ^ 8'h62;"),
    ),
    "aes_stages_encrypt": (
        ("MixColumns in every round", "last_q[1] ? s_row_q : m_col", "m_col"),
        ("the last round is known a stage early", "last_q[1] ? s_row_q", "last_q[0] ? s_row_q"),
        ("the last round is passed on in a stall", "if (move_i) last_q <=", "last_q <="),
        ("a stage goes on in a stall", "else if (move_i) s_box_q", "else s_box_q"),
        ("another stage goes on in a stall", "end else if (move_i) begin", "end else begin"),
        ("the last stage goes on in a stall", "else if (move_i) data_o", "else data_o"),
        (
            "a clear leaves a stage",
            "if (clear_i) s_box_q <= '0;\n    else if (move_i)",
            "if (move_i)",
        ),
        ("a clear leaves half of a stage", "      doubled_q <= '0;\n", ""),
        (
            "a clear leaves the last stage",
            "if (clear_i) data_o <= '0;\n    else if (move_i)",
            "if (move_i)",
        ),
        ("a column takes a row twice", "(k+3)%4", "(k+2)%4"),
        ("SubWord of another column", "= s_box[127:96];", "= s_box[95:64];"),
    ),
    "aes_stages_encrypt_rom": (
        ("a stage goes on in a stall", "else if (move_i) words_q", "else words_q"),
        ("the last round is known a stage early", "last_q[1] ? s_row", "last_q[0] ? s_row"),
    ),
    "aes_stages_encrypt_split": (
        (
            "a clear leaves a stage",
            "if (clear_i) s_box_q <= '0;\n    else if (move_i)",
            "if (move_i)",
        ),
        ("the last round is passed on in a stall", "if (move_i) last_q <=", "last_q <="),
    ),
    "aes_sub_rom": (
        ("a clear leaves a word", "      b_o <= '0;\n", ""),
        ("load is ignored", "end else if (load_i) begin", "end else begin"),
        ("a port reads for the other", "b_o <= rom[b_i];", "b_o <= rom[a_i];"),
        (
            "three times S is twice S",
            "(aes_gf_pkg::SBOX[8*x +: 8]) ^ aes_gf_pkg::SBOX[8*x +: 8]\n",
            "(aes_gf_pkg::SBOX[8*x +: 8])\n",
        ),
    ),
    "aes_sub_split": (
        ("the quarter of the next byte", "8*quarter_q", "8*data_i[7:6]"),
        ("a clear leaves the quarter", "      quarter_q <= '0;\n", ""),
    ),
    "aes_tbox_pkg": (
        (
            "a wrong coefficient",
            "3:       word_byte = aes_gf_pkg::xtime(s) ^ s;",
            "3:       word_byte = aes_gf_pkg::xtime(s);",
        ),
        ("a wrong coefficient of the inverse", "8'h0d);", "8'h0e);"),
    ),
    "aes_tbox": (("a wrong row", "gen_row[row-1]", "gen_row[row-2]"),),
    "aes_tbox_byte": (
        ("a wrong term in an equation", "= y[5] ^ y[2];", "= y[5] ^ y[1];"),
        ("twice S for S", "= word_i[23:16];\n  end", "= word_i[31:24];\n  end"),
    ),
    "aes_tbox_mix": (
        ("a word turned the wrong way", "(i+4-r)%4", "(i+r)%4"),
        (
            "MixColumns in the last round",
            "last_i ? s_row ^ k_sch_i : m_col ^ m_key",
            "m_col ^ m_key",
        ),
        ("the key of the last round is mixed", "s_row ^ k_sch_i :", "s_row ^ m_key :"),
    ),
    "aes_tbox_rom": (
        ("a clear leaves a word", "      b_q <= '0;\n", ""),
        ("load is ignored", "end else if (load_i) begin", "end else begin"),
        ("the direction is ignored", "= BOTH && inverse_i;", "= 1'b0;"),
        (
            "rows exchanged",
            "a_o = {a_q[23:8], a_q[31:24], a_q[7:0]}",
            "a_o = {a_q[31:24], a_q[15:8], a_q[23:16], a_q[7:0]}",
        ),
    ),
    "aes_tbox_rom_round": (
        (
            "the direction of the round before",
            ".inverse_i (load_decrypt_i)",
            ".inverse_i (decrypt_i)",
        ),
    ),
}

FAULTS = tuple(Fault(file, *fault) for file, found in _FAULTS.items() for fault in found)
