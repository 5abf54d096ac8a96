

  // The rules of the contract that this cycle breaks.
  logic [7:0] violated;
  {{monitor_name}} #(
    .InFlight   ({{in_flight}}),
    .MinLatency ({{min_latency}}),
    .MaxLatency ({{max_latency}}),
    .IdleZero   (1'b{{idle_zero}}),
    .BlockBits  ({{block_bits}})
  ) u_contract (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .key_valid_i (key_valid_i),
    .key_ready_o (key_ready_o),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready_o),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_o),
    .key_clear_i (key_clear_i),
    .violated_o  (violated)
  );

  task check_contract;
    if (violated !== '0) begin
      $display("{{monitor_name}}: rules %b", violated);
      fail("the contract is broken");
    end
  endtask
