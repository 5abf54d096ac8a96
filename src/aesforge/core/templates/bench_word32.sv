  // The bench sends and takes whole keys, blocks and results; these are the words of the port.
  logic key_word_ready;
  logic in_word_ready;
  logic out_word_valid;
  logic out_word_ready;
  logic [31:0] out_word;
  logic [2:0] key_count;
  logic [1:0] in_count;
  logic [1:0] out_count;
  logic [95:0] out_words;

  logic [2:0] key_last;
  assign key_last = {{key_last}};
  assign key_ready_o = key_word_ready && key_count == key_last;
  assign in_ready_o = in_word_ready && in_count == 2'd3;
  assign out_valid_o = out_word_valid && out_count == 2'd3;
  // A word that is not valid is shown, so that the bench sees what it is.
  assign out_data_o = out_valid_o ? {out_words, out_word} : out_word_valid ? '0 : {96'h0, out_word};
  assign out_word_ready = out_ready_i || out_count != 2'd3;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      {key_count, in_count, out_count} <= '0;
    end else begin
      if (key_valid_i && key_word_ready) key_count <= key_ready_o ? 3'd0 : key_count + 3'd1;
      if (in_valid_i && in_word_ready) in_count <= in_count + 2'd1;
      if (out_word_valid && out_word_ready) begin
        out_count <= out_count + 2'd1;
        out_words <= {out_words[63:0], out_word};
      end
    end
  end

  {{top}} u_dut (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (key_word_ready),
    .key_i        (key_i[255-32*key_count -: 32]),
    // After the first word length, direction and S-boxes do not count.
    .key_len_i    (key_count == 3'd0 ? key_len_i : ~key_len_i),
    .in_valid_i   (in_valid_i),
    .in_ready_o   (in_word_ready),
    .in_data_i    (in_data_i[127-32*in_count -: 32]),
    .in_decrypt_i (in_count == 2'd0 ? in_decrypt_i : !in_decrypt_i),{{select_pin}}{{alarm_pin}}
    .out_valid_o  (out_word_valid),
    .out_ready_i  (out_word_ready),
    .out_data_o   (out_word),
    .key_clear_i  (key_clear_i)
  );
