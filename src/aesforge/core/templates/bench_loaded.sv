  // The bench sends whole keys; these are the round keys of the port.
  logic round_key_ready;
  logic [3:0] key_count;
  logic [3:0] key_last;
  assign key_last = 4'd10 + {1'b0, key_len_i, 1'b0};
  assign key_ready_o = round_key_ready && key_count == key_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) key_count <= '0;
    else if (key_valid_i && round_key_ready) key_count <= key_ready_o ? 4'd0 : key_count + 4'd1;
  end

  {{top}} u_dut (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (round_key_ready),
    .key_i        (key_i[{{key_top}}-256*key_count -: 256]),
    // After the first round key the length does not count.
    .key_len_i    (key_count == 4'd0 ? key_len_i : ~key_len_i),
    .in_valid_i   (in_valid_i),
    .in_ready_o   (in_ready_o),
    .in_data_i    (in_data_i),
    .in_decrypt_i (in_decrypt_i),
    .out_valid_o  (out_valid_o),
    .out_ready_i  (out_ready_i),
    .out_data_o   (out_data_o),
    .key_clear_i  (key_clear_i)
  );
