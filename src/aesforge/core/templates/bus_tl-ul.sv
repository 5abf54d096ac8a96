  task idle;
    {tl_a_valid, tl_a_opcode, tl_a_param, tl_a_size, tl_a_source, tl_a_address} = '0;
    {tl_a_mask, tl_a_data, tl_a_corrupt, tl_d_ready} = '0;
  endtask

  task access(input logic to_write, input logic [11:0] address, input logic [31:0] data);
    pause;
    @(negedge clk_i);
    {tl_a_valid, tl_d_ready} = 2'b11;
    tl_a_opcode = to_write ? 3'd0 : 3'd4;
    {tl_a_size, tl_a_mask} = {2'd2, 4'b1111};
    {tl_a_address, tl_a_data} = {address, data};
    @(posedge clk_i);
    while (!tl_a_ready) @(posedge clk_i);
    @(negedge clk_i);
    tl_a_valid = 1'b0;
    @(posedge clk_i);
    while (!tl_d_valid) @(posedge clk_i);
    if (tl_d_denied) fail("an access is in error");
    found = tl_d_data;
  endtask

  task write(input logic [11:0] address, input logic [31:0] data);
    access(1'b1, address, data);
  endtask

  task read(input logic [11:0] address);
    access(1'b0, address, '0);
  endtask
